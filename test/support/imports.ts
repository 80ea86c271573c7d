import { readFileSync } from "node:fs";
import { checkRecord, withIssues } from "../../src/core/imports/check/check-record.ts";
import { importers } from "../../src/core/imports/importers/importers.ts";
import type { FileRecord } from "../../src/core/imports/formats/draft.ts";
import { readImport, type ReadImportOptions } from "../../src/core/imports/formats/read-import.ts";

export const files = new URL("../core/imports/files/", import.meta.url);

type Options = Partial<ReadImportOptions>;

/** Reads a file that comes in chunks of this size, and checks its records as new ones. */
export async function readFile(file: Buffer | string, options: Options = {}, chunkSize = 100_000) {
  const bytes = Buffer.from(file);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkSize) yield bytes.subarray(start, start + chunkSize);
  }
  const currency = { currency: "EUR", currencyDecimals: 2 };
  const { kind = "PRODUCTS" } = options;
  const { format, records, findUnreadColumns } = await readImport(chunks, { kind, currency, ...options });
  const items: FileRecord[] = [];
  for await (const record of records) {
    const item = checkRecord(record, format.source, { ...currency, ...options.currency, allowsOverselling: false });
    items.push(withIssues(item, importers[kind].findIssues(item.input, undefined)));
  }
  return { format: { ...format, unreadColumns: findUnreadColumns() }, items };
}

/** Reads a file of `test/core/imports/files`. */
export function readSample(name: string, options: Options = {}) {
  const kind = name.includes("customers") ? "CUSTOMERS" : "PRODUCTS";
  return readFile(readFileSync(new URL(`${name}.csv`, files)), { kind, ...options });
}

/** What a person sees of a file: its format, its records and their problems, a line for each. */
export function describeFile({ format, items }: Awaited<ReturnType<typeof readFile>>): string {
  const { source, encoding, delimiter, decimalMark, questions, unreadColumns } = format;
  const head = [source, encoding, JSON.stringify(delimiter), decimalMark ?? "-", ...questions];
  const lines = items.flatMap(({ rows, input, problems, notes }) => [
    `${rows.join("-")} ${JSON.stringify(input)}`,
    ...notes.map((note) => `  ${note}`),
    ...problems.map(
      ({ row, column, value, message, remedy }) =>
        `  ${row} ${column ?? "-"} ${JSON.stringify(value)} ${message} ${remedy}`,
    ),
  ]);
  const unread = unreadColumns.length > 0 ? [`not read: ${unreadColumns.join(", ")}`] : [];
  return [head.join(" "), ...unread, ...lines, ""].join("\n");
}
