import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { Admission } from "../../src/core/access/admission.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";

/** The time for which one tenant counts as present after it came, in milliseconds, and more. */
const ABSENCE = 1_100;
const WORK = 150;

/** Somebody whose credential does not matter. */
const nobody = { address: undefined, credential: undefined };

describe("A tenant that keeps the event loop busy", () => {
  let admission: Admission;
  /** When a piece of work began, by its tenant. */
  let begun: { tenant: string; at: number }[];

  beforeEach("give each tenant one place", () => {
    admission = new Admission({ poolSize: 3, metrics: new Metrics() });
    begun = [];
  });

  const work = (tenant: string, duration = WORK) =>
    admission.serve(async () => {
      admission.admit(nobody, tenant);
      await admission.begin();
      begun.push({ tenant, at: performance.now() });
      const end = performance.now() + duration;
      while (performance.now() < end);
      await nextTurn();
    }, Promise.resolve());

  const order = () => begun.map(({ tenant }) => tenant);

  it("rests after its work for as long as that took, while another is here", async () => {
    await work("calm", 0);
    await Promise.all([work("greedy"), work("greedy"), work("greedy")]);
    const [, first, second] = begun;
    expect(second!.at - first!.at).to.be.at.least(WORK * 2 - 5);
  });

  it("leaves the next place to the other meanwhile", async () => {
    await work("calm", 0);
    const both = [work("greedy"), work("greedy")];
    await both[0];
    await work("calm", 0);
    await Promise.all(both);
    expect(order()).to.deep.equal(["calm", "greedy", "calm", "greedy"]);
  });

  it("does not rest when it is alone", async () => {
    await work("calm", 0);
    await new Promise((resolve) => void setTimeout(resolve, ABSENCE));
    const both = [work("greedy"), work("greedy")];
    await both[0];
    await nextTurn();
    expect(order()).to.deep.equal(["calm", "greedy", "greedy"]);
    await Promise.all(both);
  });
});
