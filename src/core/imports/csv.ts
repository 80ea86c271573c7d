import { escapeFormula, type CellType } from "./columns.ts";

/** The values of a row by column. Absent ones are empty. */
export type Row = Record<string, unknown>;

/** Excel reads a file as UTF-8 only behind this mark. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The beginning of a file (RFC 4180). */
export function csvHeader(columns: Readonly<Record<string, CellType>>): string {
  return BYTE_ORDER_MARK + lineOf(Object.keys(columns));
}

/** Rows of a file. Times are written in ISO 8601. */
export function csvRows(columns: Readonly<Record<string, CellType>>, rows: readonly Row[]): string {
  const types = Object.entries(columns);
  return rows.map((row) => lineOf(types.map(([name, type]) => cellOf(row[name], type)))).join("");
}

function cellOf(value: unknown, type: CellType): string {
  if (value == null) return "";
  if (value instanceof Date) return value.toISOString();
  return type === "number" ? String(value) : escapeFormula(String(value));
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(quote).join(",")}\r\n`;
}

/** Also quotes separators of other dialects, and the space that some readers trim. */
function quote(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
