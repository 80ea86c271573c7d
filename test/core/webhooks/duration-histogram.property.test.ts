import { expect } from "chai";
import fc from "fast-check";
import { histogramOf, mergeHistograms, percentile } from "../../../src/core/webhooks/health/duration-histogram.ts";

const durations = fc.array(
  fc.oneof(fc.double({ min: 1, max: 10_000, noNaN: true }), fc.double({ min: 1, max: 10, noNaN: true })),
  { minLength: 1, maxLength: 300 },
);

describe("The histogram of durations", () => {
  it("returns percentiles with an error of at most 10 %", () => {
    fc.assert(
      fc.property(durations, fc.constantFrom(0.5, 0.95, 1), (all, part) => {
        const exact = all.toSorted((a, b) => a - b)[Math.ceil(part * all.length) - 1]!;
        expect(percentile(histogramOf(all), part)! / exact).to.be.within(0.9, 1.1);
      }),
    );
  });

  it("merges the histograms of parts", () => {
    fc.assert(
      fc.property(durations, durations, (some, others) => {
        const together = mergeHistograms([histogramOf(some), histogramOf(others), []]);
        expect(together).to.deep.equal(histogramOf([...some, ...others]));
      }),
    );
  });

  it("assigns outliers to the nearest bucket, and returns null without durations", () => {
    expect(percentile(histogramOf([0, 0.01, 1]), 0.95)).to.equal(1);
    expect(percentile(histogramOf([60_000]), 0.5)).to.be.greaterThan(10_000);
    expect(percentile(histogramOf([]), 0.5)).to.equal(null);
    expect(percentile([], 0.5)).to.equal(null);
  });
});
