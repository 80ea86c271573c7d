import { escapeFormula } from "./columns.ts";

/** The values of a row by column. Absent ones are empty. */
export type CsvRow = Record<string, unknown>;

/** The first line of a file (RFC 4180). Excel reads a file as UTF-8 only behind a byte order mark. */
export const csvHeader = (columns: readonly string[]) => `\uFEFF${columns.join(",")}\r\n`;

/** Lines of a file. Times are written in ISO 8601. */
export function csvRows(columns: readonly string[], rows: readonly CsvRow[]): string {
  return rows.map((row) => `${columns.map((name) => cellOf(row[name])).join(",")}\r\n`).join("");
}

/** Also quotes separators of other dialects, and spaces that readers trim. */
function cellOf(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : escapeFormula(String(value ?? ""));
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
