import { pino, type DestinationStream, type Logger } from "pino";
import { requestFacts } from "./request-facts.ts";
import { activeSpan } from "./tracing.ts";

export type { Logger };

/**
 * JSON lines on standard output, or whatever `destination` makes of them; those of a request and of a trace name it.
 * Fields are named one by one: bodies, headers and whole objects, which may hold secrets, are never logged. That goes
 * for errors too, which carry connections and requests along.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const timestamp = pino.stdTimeFunctions.isoTime;
  const mixin = () => ({
    requestId: requestFacts()?.requestId,
    traceId: activeSpan()?.spanContext().traceId,
  });
  const options = { level, base: undefined, timestamp, mixin, serializers: { err: describeError } };
  return destination ? pino(options, destination) : pino(options);
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
