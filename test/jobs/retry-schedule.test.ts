import { expect } from "chai";
import { retryDelay, retryGrid } from "../../src/jobs/sending/retry-schedule.ts";

describe("The retry schedule", () => {
  const now = new Date("2026-01-31T09:30:00.000Z");
  const waits = [5, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400];

  /** Seconds until the next attempt. */
  function wait(attempts: number, random?: number): number | undefined {
    const delay = retryDelay({ attempts, now, random });
    return delay && delay / 1_000;
  }

  it("has ten attempts over about three days", () => {
    expect(waits.map((_, index) => wait(index + 1, 0.5))).to.deep.equal(waits);
    expect(wait(10, 0.5)).to.equal(undefined);
    expect(wait(11, 0.5)).to.equal(undefined);
  });

  it("varies each wait by 20 %", () => {
    waits.forEach((seconds, index) => {
      expect(wait(index + 1, 0)).to.be.closeTo(seconds * 0.8, 0.001);
      expect(wait(index + 1, 0.999_999_9)).to.be.closeTo(seconds * 1.2, 0.01);
    });
  });

  it("rounds times up by at most a sixty-fourth of the wait", () => {
    for (const seconds of waits)
      expect(retryGrid(seconds * 1_000)).to.be.within((seconds * 1_000) / 128, (seconds * 1_000) / 64);
    expect(retryGrid(0)).to.be.within(1, 1_000);
  });

  it("spreads endpoints that fail together", () => {
    const spread = new Set(Array.from({ length: 50 }, () => wait(5)));
    expect(spread.size).to.be.greaterThan(40);
    for (const seconds of spread) expect(seconds).to.be.within(7_200 * 0.8, 7_200 * 1.2);
  });
});
