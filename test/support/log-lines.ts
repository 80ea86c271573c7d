import { Writable } from "node:stream";
import { createLogger, type Logger } from "../../src/platform/telemetry/logger.ts";

export type LogLine = Record<string, unknown> & { msg: string };

/** A logger whose lines a test reads. */
export function collectLines(level = "info"): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as LogLine);
      done();
    },
  });
  return { logger: createLogger(level, stream), lines };
}
