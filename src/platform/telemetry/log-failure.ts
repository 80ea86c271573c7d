import { databaseRefusal, isDatabaseAway } from "../errors.ts";
import type { Logger } from "./logger.ts";

/** The time between two lines about PostgreSQL. Each request has a line of its own anyway. Milliseconds. */
const PAUSE = 1_000;

const lastLine = new WeakMap<Logger, number>();

/** Logs an unexpected error with its stack. While PostgreSQL is away, logs its message alone, at most once a second. */
export function logFailure(logger: Logger, error: unknown, message: string): void {
  if (!isDatabaseAway(error)) return logger.error({ err: error }, message);
  const now = performance.now();
  if (now < (lastLine.get(logger) ?? -PAUSE) + PAUSE) return;
  lastLine.set(logger, now);
  logger.error({ reason: databaseRefusal(error) }, `${message}, because PostgreSQL is unavailable`);
}
