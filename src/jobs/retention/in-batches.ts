import { setTimeout as wait } from "node:timers/promises";

/**
 * Repeats a batch until nothing is left or `signal` aborts. It pauses after each batch for as long as the batch took,
 * which leaves half of the database's time to others.
 */
export async function inBatches(signal: AbortSignal, doBatch: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const isMore = await doBatch();
    if (!isMore) return;
    await wait(performance.now() - startedAt, undefined, { signal }).catch(() => undefined);
  }
}
