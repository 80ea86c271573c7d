import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { AttemptResult } from "../../src/jobs/sending/attempt-delivery.ts";
import { DeliveryLoop, type LoopServices } from "../../src/jobs/sending/delivery-loop.ts";
import type { DueDelivery } from "../../src/jobs/sending/read-due-deliveries.sql.ts";
import { OwnFault } from "../../src/jobs/transport/failures.ts";
import { buildAttemptResult } from "../support/webhooks/deliveries.ts";

const job = { shopId: "shop_1", endpointId: "whe_1" };

/** A run at a disabled endpoint, where nothing is due but what is failed instead. */
function runAt(failUndeliverable: LoopServices["failUndeliverable"]) {
  const reads: number[] = [];
  const never = () => Promise.reject(new Error("Nothing is due"));
  const services = {
    read: async ({ places }: { places: number }) => {
      reads.push(places);
      return { deliveries: [], hasMore: false, isUndeliverable: true, isSuspended: false };
    },
    failUndeliverable,
    attempt: never,
    record: never,
    postpone: never,
    isOver: () => false,
    limit: () => 20,
    queue: () => undefined,
  };
  const run = new DeliveryLoop(job, services);
  return { run, reads };
}

describe("The delivery loop", () => {
  it("reads again when woken while it fails undeliverable deliveries", async () => {
    const { run, reads } = runAt(async () => {
      await Promise.resolve();
      if (reads.length === 1) run.wake();
      return false;
    });
    await run.sendAll();
    expect(reads).to.have.length(2);
  });

  it("detects a wake-up after its last read", async () => {
    const { run, reads } = runAt(async () => {
      await Promise.resolve();
      if (reads.length === 2) run.wake();
      return false;
    });
    await run.sendAll();
    await run.recheck();
    expect(run.hasMore).to.equal(true);
  });

  /** A run at an endpoint where three deliveries are due, whose attempts wait to be settled. */
  function runWithThree(isCrowded: boolean) {
    const attempts: PromiseWithResolvers<AttemptResult>[] = [];
    const deliveries = ["whd_1", "whd_2", "whd_3"].map((id) => ({ id }) as DueDelivery);
    const postponed: string[] = [];
    const services: LoopServices = {
      read: async ({ places, except }) => {
        const due = deliveries.filter(({ id }) => !except.includes(id) && attempts.length < deliveries.length);
        const read = due.slice(0, places);
        return { deliveries: read, hasMore: read.length === places, isUndeliverable: false, isSuspended: false };
      },
      failUndeliverable: async () => false,
      attempt: () => {
        attempts.push(Promise.withResolvers());
        return attempts.at(-1)!.promise;
      },
      record: async () => undefined,
      postpone: async ({ id }) => void postponed.push(id),
      isOver: () => false,
      limit: () => (isCrowded ? 1 : 20),
      queue: (loop) => queueMicrotask(() => loop.start()),
    };
    const run = new DeliveryLoop(job, services);
    return { run, attempts, postponed, begun: () => setImmediate().then(() => attempts.length) };
  }

  it("runs all attempts at once, and one at a time while the worker is crowded", async () => {
    for (const [isCrowded, count] of [
      [false, 3],
      [true, 1],
    ] as const) {
      const { run, attempts, begun } = runWithThree(isCrowded);
      const sending = run.sendAll();
      expect(await begun()).to.equal(count);
      for (let settled = 0; settled < attempts.length; settled += 1) {
        attempts[settled]!.resolve(buildAttemptResult({ id: "whd_1" }, 204));
        await begun();
      }
      await sending;
    }
  });

  it("ends with a fault of the worker, which postpones no delivery", async () => {
    const { run, attempts, postponed, begun } = runWithThree(true);
    const sending = run.sendAll();
    await begun();
    attempts[0]!.reject(new OwnFault("No file descriptors"));
    await sending;
    expect([run.fault?.message, attempts.length, postponed]).to.deep.equal(["No file descriptors", 1, []]);
  });
});
