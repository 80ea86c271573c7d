import { pino, type DestinationStream, type Logger } from "pino";
import { requestFacts } from "./request-facts.ts";
import { activeSpan } from "./tracing.ts";

export type { Logger };

/**
 * Creates a logger that writes JSON lines to standard output or `destination`. Lines of a request and of a trace have
 * their ids. Log single fields, not bodies, headers or whole objects, which may hold secrets. Errors are reduced to
 * safe fields, because they may carry connections and requests.
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
