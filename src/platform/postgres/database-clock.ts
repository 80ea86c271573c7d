import type { Logger } from "../telemetry/logger.ts";

/** The interval between two measurements. Milliseconds. */
const INTERVAL = 60_000;
/** A larger difference means that one of the clocks is wrong. Milliseconds. */
const TOLERANCE = 2_000;

export interface DatabaseClockOptions {
  /** Asks PostgreSQL for its time. */
  ask: () => Promise<Date>;
  logger: Logger;
}

/**
 * Measures PostgreSQL's time at the origin of the monotonic clock, and how far this machine's clock is ahead of it, both
 * in milliseconds.
 */
export async function compareClocks(ask: DatabaseClockOptions["ask"]) {
  // The first answer may include the wait for a connection.
  await ask();
  const askedAt = performance.now();
  const time = await ask();
  const origin = time.getTime() - (askedAt + performance.now()) / 2;
  const aheadMs = Math.round(Date.now() - origin - performance.now());
  return { origin, aheadMs, isSkewed: Math.abs(aheadMs) > TOLERANCE };
}

/**
 * PostgreSQL's time for timestamps that are not set in SQL: of a signature, of the start of an attempt. It adds an
 * offset, measured at the start and every minute, to the monotonic clock, so a change of the machine's clock has no
 * effect.
 */
export class DatabaseClock {
  readonly #options: DatabaseClockOptions;
  /** PostgreSQL's time at the origin of the monotonic clock. Milliseconds. */
  #origin = Date.now() - performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DatabaseClockOptions) {
    this.#options = options;
  }

  now(): Date {
    return new Date(Math.round(this.#origin + performance.now()));
  }

  /** Measures immediately, and each minute until `stop`. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#measure(), INTERVAL).unref();
    await this.#measure();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #measure(): Promise<void> {
    const { ask, logger } = this.#options;
    try {
      const { origin, aheadMs, isSkewed } = await compareClocks(ask);
      this.#origin = origin;
      if (isSkewed) logger.error({ aheadMs }, "clock skew between this machine and PostgreSQL");
    } catch (error) {
      logger.warn({ err: error }, "the clock of PostgreSQL could not be read; using the last measurement");
    }
  }
}
