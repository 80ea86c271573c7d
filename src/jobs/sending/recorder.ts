import { setTimeout as wait } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { AttemptResult } from "./attempt-delivery.ts";

const MAX_BATCH = 500;
const RETRY = 500;
/** Between writes while there is not much: one for each of a few results would cost more than they do. Milliseconds. */
const PAUSE = 5;

interface Waiting {
  result: AttemptResult;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Writes down results as they come, those that come during one write, or soon after it, together in the next. */
export class Recorder {
  readonly #write: (results: AttemptResult[]) => Promise<void>;
  readonly #logger: Logger;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(options: { write: (results: AttemptResult[]) => Promise<void>; logger: Logger }) {
    this.#write = options.write;
    this.#logger = options.logger;
  }

  /** Settles when the result is written down. While the database is away it waits. */
  add(result: AttemptResult): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ result, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      await this.#writeBatch(batch);
      if (this.#waiting.length < MAX_BATCH) await wait(PAUSE);
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: Waiting[]): Promise<void> {
    try {
      await this.#writePatiently(batch);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error);
      // One of them cannot be written: the others can.
      for (const one of batch) await this.#writeBatch([one]);
    }
  }

  async #writePatiently(batch: Waiting[]): Promise<void> {
    for (;;) {
      try {
        return await this.#write(batch.map(({ result }) => result));
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        this.#logger.warn({ err: error }, "attempts cannot be written down now");
        await wait(RETRY);
      }
    }
  }
}
