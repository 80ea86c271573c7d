import { setTimeout as wait } from "node:timers/promises";
import DataLoader from "dataloader";
import { isDatabaseUnavailable } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { AttemptResult } from "./attempt-delivery.ts";

const MAX_BATCH = 500;
const RETRY = 500;
/** Before each write: one for each of a few results would cost more than they do. Milliseconds. */
const PAUSE = 5;

export interface RecorderOptions {
  /** Writes results, all of them or none. */
  write: (results: readonly AttemptResult[]) => Promise<void>;
  logger: Logger;
}

/**
 * Makes a function that records one result and settles when it is written. Those that come during one write go into the
 * next. While the database is away they wait.
 */
export function createRecorder({ write, logger }: RecorderOptions): (result: AttemptResult) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader((results: readonly AttemptResult[]) => (last = writeBatch(results)), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: (dispatch) => void last.then(() => setTimeout(dispatch, PAUSE)),
  });

  /** Answers the error of each that cannot be written. */
  async function writeBatch(results: readonly AttemptResult[]): Promise<(Error | null)[]> {
    try {
      await writePatiently(results);
      return results.map(() => null);
    } catch (error) {
      if (results.length === 1) return [error as Error];
      // One of them cannot be written: the others can.
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
        logger.warn({ err: error }, "attempts cannot be recorded now");
        await wait(RETRY);
      }
    }
  }

  return (result) => loader.load(result);
}
