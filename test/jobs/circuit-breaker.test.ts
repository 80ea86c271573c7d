import { expect } from "chai";
import { FAILURES_TO_SUSPEND } from "../../src/core/webhooks/health/endpoint-health.ts";
import { afterFailure, afterSuccess, healthy, type Health } from "../../src/jobs/sending/health/circuit-breaker.ts";

const start = new Date("2026-01-31T09:30:00.000Z");
const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000);

function fail(
  health: Health,
  now: Date,
  { count = 1, ...more }: { count?: number; topic?: string; isProbe?: boolean; isGone?: boolean; random?: number } = {},
): Health {
  // The middle of the spread.
  const failures = Array.from({ length: count }, () => ({
    topic: "order.paid",
    isProbe: false,
    isGone: false,
    now,
    random: 0.5,
    ...more,
  }));
  return failures.reduce(afterFailure, health);
}

describe("The circuit breaker", () => {
  it("opens after ten failures in a row", () => {
    const nearly = fail(healthy, start, { count: FAILURES_TO_SUSPEND - 1 });
    expect(nearly).to.include({ consecutiveFailures: 9, probeAt: null }).and.to.deep.include({ failingSince: start });
    const open = fail(nearly, at(5));
    expect(open).to.deep.include({ consecutiveFailures: 10, probeAt: at(35), failedProbes: 0, failingSince: start });
  });

  it("probes after 30 s, then after twice as long each time, up to half an hour", () => {
    let health = fail(healthy, start, { count: 10 });
    const waits = [];
    for (let probe = 0; probe < 9; probe += 1) {
      const now = health.probeAt!;
      health = fail(health, now, { isProbe: true });
      waits.push((health.probeAt!.getTime() - now.getTime()) / 1_000);
    }
    expect(waits).to.deep.equal([60, 120, 240, 480, 960, 1_800, 1_800, 1_800, 1_800]);
  });

  it("spreads the probes of endpoints that failed together", () => {
    const waits = [0, 0.25, 0.999].map((random) => {
      const { probeAt } = fail(healthy, start, { count: 10, random });
      return (probeAt!.getTime() - start.getTime()) / 1_000;
    });
    expect(waits).to.deep.equal([15, 22.5, 44.97]);
  });

  it("ignores attempts that were running when it opened", () => {
    const open = fail(healthy, start, { count: 10 });
    expect(fail(open, at(9), { count: 19 })).to.deep.include({
      probeAt: at(30),
      failedProbes: 0,
      consecutiveFailures: 29,
    });
  });

  const HOUR = 3_600;
  /** The state of an endpoint that failed at each of these hours. */
  const failAtHours = (hours: readonly number[]) =>
    hours.reduce((health, hour) => fail(health, at(hour * HOUR), { isProbe: health.probeAt !== null }), healthy);

  it("disables an endpoint after five days of failures, with at least ten attempts", () => {
    const twiceADay = [0, 12, 24, 36, 48, 60, 72, 84, 96, 108];
    expect(failAtHours([...twiceADay, 119.9]).disabledReason).to.equal(null);
    expect(failAtHours([...twiceADay, 120]).disabledReason).to.equal("FAILING");
  });

  it("does not disable after a few failures, however long ago the first was", () => {
    expect(failAtHours([0, 24, 48, 72, 96, 120]).disabledReason).to.equal(null);
    expect(failAtHours([0, 24, 48, 72, 96, 120, 121, 122, 123]).disabledReason).to.equal(null);
    expect(failAtHours([0, 24, 48, 72, 96, 120, 121, 122, 123, 124]).disabledReason).to.equal("FAILING");
  });

  it("starts a new count after a day without attempts, and stays open", () => {
    const [first, second] = [failAtHours([0, 1, 2]), failAtHours([0, 1, 2, 26.1])];
    expect(first).to.deep.include({ consecutiveFailures: 3, failingSince: start });
    expect(second).to.deep.include({ consecutiveFailures: 1, failingSince: at(26.1 * HOUR), probeAt: null });
    const open = fail(healthy, start, { count: 10 });
    const probed = fail(open, at(25 * HOUR), { isProbe: true });
    expect(probed).to.deep.include({ consecutiveFailures: 1, failedProbes: 1, probeAt: at(25 * HOUR + 60) });
    expect(probed.disabledReason).to.equal(null);
  });

  it("suspends the other topics after as many failures, and disables no endpoint that answers one", () => {
    const days = (count: number) => at(count * 86_400);
    let health = fail(healthy, start, { count: 12 });
    health = fail(health, start, { topic: "order.created", count: 9 });
    const answered = afterSuccess(health, "order.created", days(2));
    expect(answered).to.deep.include({ failingTopics: { "order.paid": 12 }, probeAt: at(30), answeredAt: days(2) });
    expect(afterSuccess(health, "order.paid", days(2))).to.deep.equal(healthy);
    for (const [before, reason] of [
      [answered, null],
      [health, "FAILING"],
    ] as const) {
      expect(fail({ ...before, lastFailedAt: days(5.5) }, days(6), { isProbe: true }).disabledReason).to.equal(reason);
    }
  });

  it("disables a gone endpoint immediately", () => {
    expect(fail(healthy, start, { isGone: true }).disabledReason).to.equal("GONE");
  });
});
