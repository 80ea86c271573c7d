import { readFileSync } from "node:fs";
import { readImport, type ReadImportOptions, type ReadItem } from "../../src/core/imports/read-import.ts";

export const files = new URL("../core/imports/files/", import.meta.url);

type Options = Partial<ReadImportOptions>;

/** Reads a file that comes in chunks of this size. */
export async function readFile(file: Buffer | string, options: Options = {}, chunkSize = 100_000) {
  const bytes = Buffer.from(file);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkSize) yield bytes.subarray(start, start + chunkSize);
  }
  const { format, items } = await readImport(chunks, {
    kind: "PRODUCTS",
    currency: { currency: "EUR", currencyDecimals: 2 },
    ...options,
  });
  const read: ReadItem[] = [];
  for await (const item of items) read.push(item);
  return { format, items: read };
}

/** Reads a file of `test/core/imports/files`. */
export function readSample(name: string, options: Options = {}) {
  const kind = name.includes("customers") ? "CUSTOMERS" : "PRODUCTS";
  return readFile(readFileSync(new URL(`${name}.csv`, files)), { kind, ...options });
}

/** What a person sees of a file: its format, its records and their problems, a line for each. */
export function describeFile({ format, items }: Awaited<ReturnType<typeof readFile>>): string {
  const { source, encoding, delimiter, decimalMark, questions } = format;
  const head = [source, encoding, JSON.stringify(delimiter), decimalMark ?? "-", ...questions].join(" ");
  const lines = items.flatMap(({ rows, input, problems }) => [
    `${rows.join("-")} ${JSON.stringify(input)}`,
    ...problems.map(
      ({ row, column, value, message, remedy }) =>
        `  ${row} ${column ?? "-"} ${JSON.stringify(value)} ${message} ${remedy}`,
    ),
  ]);
  return [head, ...lines, ""].join("\n");
}
