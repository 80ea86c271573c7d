import { setTimeout as wait } from "node:timers/promises";
import DataLoader from "dataloader";
import { isDatabaseUnavailable } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { AttemptResult } from "./attempt-delivery.ts";

const MAX_BATCH = 500;
const RETRY = 500;
/** The delay before each write, so that results are batched. Milliseconds. */
const PAUSE = 5;

export interface RecorderOptions {
  /** Writes all results or none. */
  write: (results: readonly AttemptResult[]) => Promise<void>;
  logger: Logger;
}

/**
 * Creates a function that records a result and settles when it is written. Results that arrive during a write go into
 * the next one. They wait while the database is unavailable.
 */
export function createRecorder({ write, logger }: RecorderOptions): (result: AttemptResult) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader((results: readonly AttemptResult[]) => (last = writeBatch(results)), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: (dispatch) => void last.then(() => setTimeout(dispatch, PAUSE)),
  });

  /** Returns the error of each result that cannot be written. */
  async function writeBatch(results: readonly AttemptResult[]): Promise<(Error | null)[]> {
    try {
      await writePatiently(results);
      return results.map(() => null);
    } catch (error) {
      if (results.length === 1) return [error as Error];
      // Writes each alone, so that one bad result does not block the others.
      const errors = [];
      for (const result of results) errors.push(...(await writeBatch([result])));
      return errors;
    }
  }

  async function writePatiently(results: readonly AttemptResult[]): Promise<void> {
    for (;;) {
      try {
        return await write(results);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        logger.warn({ err: error }, "attempts cannot be recorded; retrying");
        await wait(RETRY);
      }
    }
  }

  return (result) => loader.load(result);
}
