import { setTimeout as wait } from "node:timers/promises";

/**
 * Does a long work in short pieces, until one says that nothing is left or `signal` says to stop. It rests after each
 * for as long as that took: half of what it could use of the database is the others'.
 */
export async function inBatches(signal: AbortSignal, doBatch: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const isMore = await doBatch();
    if (!isMore) return;
    await wait(performance.now() - startedAt, undefined, { signal }).catch(() => undefined);
  }
}
