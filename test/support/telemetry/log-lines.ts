import { createLogger, type Logger } from "../../../src/platform/telemetry/logger.ts";

export type LogLine = Record<string, unknown> & { level: number; msg: string };

/** A logger that collects its lines. */
export function collectLines(level = "info"): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const logger = createLogger(level, { write: (line) => void lines.push(JSON.parse(line) as LogLine) });
  return { logger, lines };
}
