import { destination, pino, type DestinationStream, type Logger } from "pino";
import { requestFacts } from "./request-facts.ts";
import { activeSpan } from "./tracing.ts";
import { databaseRefusal, isDatabaseAway } from "../errors.ts";

export type { Logger };

/** The size and the age at which lines are written, in bytes and milliseconds. sonic-boom writes at most 16 KiB at once. */
const WRITTEN_FROM = 16_000;
const WRITTEN_AFTER = 100;
/** The most bytes that wait for a slow reader. Further lines are dropped. */
const MAX_WAITING = 16 * 1024 * 1024;

/**
 * Opens the log at a file descriptor, standard output by default. It writes many lines at once, because a write for each
 * takes a seventh of the time of a read. The last lines are written at the exit, and lost if the process is killed.
 */
export function openLog(descriptor = 1): ReturnType<typeof destination> {
  const bounds = { minLength: WRITTEN_FROM, maxLength: MAX_WAITING, periodicFlush: WRITTEN_AFTER };
  // Of text, sonic-boom would join all waiting lines at each further one to count their bytes.
  const log = destination({ dest: descriptor, ...bounds, sync: false, contentMode: "buffer" });
  const write = log.write.bind(log) as unknown as (line: Buffer) => boolean;
  log.write = (line) => write(Buffer.from(line));
  return log;
}

/**
 * Creates a logger that writes JSON lines to the log. Lines of a request and of a trace have their ids. Log single
 * fields, not bodies, headers or whole objects, which may hold secrets. Errors are reduced to safe fields, because they
 * may carry connections and requests.
 */
export function createLogger(level: string, log: DestinationStream = openLog()): Logger {
  const timestamp = pino.stdTimeFunctions.isoTime;
  const mixin = () => ({
    requestId: requestFacts()?.requestId,
    traceId: activeSpan()?.spanContext().traceId,
  });
  return pino({ level, base: undefined, timestamp, mixin, serializers: { err: describeError } }, log);
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

/** The time between two lines of a failure that repeats. Milliseconds. */
const PAUSE = 1_000;

/** The failures of the last second, with the number of times that they were repeated. */
const repeated = new WeakMap<Logger, Map<string, number>>();

/** Logs a failure that may repeat: at once, then once a second with the `count` of repetitions. */
export function logRepeated(
  logger: Logger,
  level: "warn" | "error",
  fields: Record<string, unknown>,
  message: string,
): void {
  const counts = repeated.get(logger) ?? new Map<string, number>();
  repeated.set(logger, counts);
  // Two failures with different numbers, such as ids of jobs, are the same.
  const kind = message.replace(/\d+/g, "");
  const known = counts.get(kind);
  counts.set(kind, (known ?? -1) + 1);
  if (known !== undefined) return;
  logger[level](fields, message);
  const end = () => {
    const count = counts.get(kind)!;
    counts.delete(kind);
    if (count > 0) logRepeated(logger, level, { ...fields, count }, message);
  };
  setTimeout(end, PAUSE).unref();
}

/** Logs an unexpected error with its stack. While PostgreSQL is away, logs its message alone. */
export function logFailure(logger: Logger, error: unknown, message: string): void {
  if (!isDatabaseAway(error)) return logger.error({ err: error }, message);
  const reason = databaseRefusal(error);
  logRepeated(logger, "error", { reason }, `${message}, because PostgreSQL is unavailable`);
}
