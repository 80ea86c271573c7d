import { performance } from "node:perf_hooks";

/** The utilization from which on requests wait noticeably for the event loop, as measured by `npm run bench:fairness`. */
const BUSY = 0.35;
/** The time over which utilization is measured, in milliseconds. */
const WINDOW = 100;

/** Tells whether the event loop of this process was busy lately. */
export class EventLoopLoad {
  #since = performance.eventLoopUtilization();
  #measuredAt = performance.now();
  #isBusy = false;

  isBusy(): boolean {
    const now = performance.now();
    if (now - this.#measuredAt >= WINDOW) {
      const current = performance.eventLoopUtilization();
      this.#isBusy = performance.eventLoopUtilization(current, this.#since).utilization >= BUSY;
      this.#since = current;
      this.#measuredAt = now;
    }
    return this.#isBusy;
  }
}
