import { pino, type Logger } from "pino";

export type { Logger };

/**
 * JSON lines on standard output. Fields are named one by one: bodies, headers and whole objects, which may
 * hold secrets, are never logged. That goes for errors too, which carry connections and requests along.
 */
export function createLogger(level: string): Logger {
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: undefined, timestamp, serializers: { err: describeError } });
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
