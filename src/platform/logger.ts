import { pino, type Logger } from "pino";

export type { Logger };

/** JSON lines on standard output. Log fields are named one by one; bodies and headers are never logged. */
export function createLogger(level: string): Logger {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}
