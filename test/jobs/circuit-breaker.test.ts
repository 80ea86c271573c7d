import { expect } from "chai";
import { FAILING_LIMIT } from "../../src/core/webhooks/failing-limit.ts";
import { afterFailure, FAILURES_TO_OPEN, healthy, type Health } from "../../src/jobs/circuit-breaker.ts";

const start = new Date("2026-01-31T09:30:00.000Z");
const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000);

function fail(
  health: Health,
  now: Date,
  { count = 1, ...more }: { count?: number; isProbe?: boolean; isGone?: boolean } = {},
): Health {
  const failures = Array.from({ length: count }, () => ({ isProbe: false, isGone: false, now, ...more }));
  return failures.reduce(afterFailure, health);
}

describe("The circuit breaker", () => {
  it("opens after ten failures in a row, and not before", () => {
    const nearly = fail(healthy, start, { count: FAILURES_TO_OPEN - 1 });
    expect(nearly).to.include({ consecutiveFailures: 9, probeAt: null }).and.to.deep.include({ failingSince: start });
    const open = fail(nearly, at(5));
    expect(open).to.deep.include({ consecutiveFailures: 10, probeAt: at(35), failedProbes: 0, failingSince: start });
  });

  it("probes after 30 s, then each time twice as late, to half an hour", () => {
    let health = fail(healthy, start, { count: 10 });
    const waits = [];
    for (let probe = 0; probe < 9; probe += 1) {
      const now = health.probeAt!;
      health = fail(health, now, { isProbe: true });
      waits.push((health.probeAt!.getTime() - now.getTime()) / 1_000);
    }
    expect(waits).to.deep.equal([60, 120, 240, 480, 960, 1_800, 1_800, 1_800, 1_800]);
  });

  it("takes what was under way when it opened for nothing new", () => {
    const open = fail(healthy, start, { count: 10 });
    expect(fail(open, at(9), { count: 19 })).to.deep.include({
      probeAt: at(30),
      failedProbes: 0,
      consecutiveFailures: 29,
    });
  });

  it("disables what was nothing but failure for five days", () => {
    const ill = fail(healthy, start);
    const nearly = new Date(start.getTime() + FAILING_LIMIT - 1);
    expect(fail(ill, nearly).disabledReason).to.equal(null);
    expect(fail(ill, new Date(start.getTime() + FAILING_LIMIT)).disabledReason).to.equal("FAILING");
  });

  it("disables at once what says that it is gone", () => {
    expect(fail(healthy, start, { isGone: true }).disabledReason).to.equal("GONE");
  });
});
