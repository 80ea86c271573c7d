import stringWidth from "string-width";
import { progress } from "../platform/terminal.ts";

type Value = string | number | boolean | Date | null | readonly string[];
type OutputRow<Fields> = { readonly [Name in keyof Fields]: Value };

const NOTHING = "–";

/** The option of every command that prints records. */
export interface OutputOptions {
  json?: true;
}

/** Prints rows with the same fields: a table for people, or one JSON document for scripts. */
export function printRows<Fields extends OutputRow<Fields>>(rows: readonly Fields[], { json }: OutputOptions): void {
  if (json) return printJson(rows);
  const [first] = rows;
  if (!first) return progress("None found");
  printTable([Object.keys(first).map(headingOf), ...rows.map((row) => Object.values<Value>(row).map(cellOf))]);
}

/** Prints one row, one line per field. */
export function printRow<Fields extends OutputRow<Fields>>(row: Fields, { json }: OutputOptions): void {
  if (json) return printJson(row);
  printTable(Object.entries<Value>(row).map(([name, value]) => [headingOf(name), cellOf(value)]));
}

function printJson(document: unknown): void {
  // JSON does not escape these control characters.
  console.log(JSON.stringify(document, null, 2).replace(/[\x7f-\x9f]/g, escape));
}

function printTable(lines: readonly string[][]): void {
  const widest = (column: number) => lines.reduce((most, line) => Math.max(most, stringWidth(line[column]!)), 0);
  const widths = lines[0]!.map((_, column) => widest(column));
  const padded = (cell: string, column: number) => cell + " ".repeat(widths[column]! - stringWidth(cell));
  console.log(lines.map((line) => line.map(padded).join("  ").trimEnd()).join("\n"));
}

/** `trialEndsAt` → `TRIAL ENDS AT` */
function headingOf(name: string): string {
  return name.replace(/[A-Z]/g, " $&").toUpperCase();
}

function cellOf(value: Value): string {
  if (value === null) return NOTHING;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value instanceof Date) return value.toISOString();
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  // Staff choose names, and terminals execute control characters.
  return text === "" ? NOTHING : text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escape);
}

function escape(character: string): string {
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
}
