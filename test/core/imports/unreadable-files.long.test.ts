import { expect } from "chai";
import { gzipSync } from "node:zlib";
import { AppError } from "../../../src/core/model/errors.ts";
import { readImport } from "../../../src/core/imports/formats/read-import.ts";

const MIB = 2 ** 20;

function* repeat(text: string, size: number, start = "Title,Price\n"): Generator<Buffer> {
  yield Buffer.from(start);
  const piece = Buffer.from(text.repeat(Math.ceil(MIB / text.length)));
  for (let sent = 0; sent < size; sent += piece.length) yield piece;
}

const files: Record<string, { chunks: () => Iterable<Buffer>; sentence: RegExp }> = {
  "an empty file": { chunks: () => [], sentence: /is empty/ },
  spaces: { chunks: () => repeat(" \n", MIB, ""), sentence: /is empty/ },
  "an Excel workbook": {
    chunks: () => [Buffer.from("PK\x03\x04rest")],
    sentence: /Excel workbook or a ZIP.*save it as CSV/,
  },
  "a compressed file": { chunks: () => [gzipSync(Buffer.alloc(50 * MIB))], sentence: /compressed/ },
  "a web page": { chunks: () => [Buffer.from("\n<!doctype html><table>")], sentence: /web page/ },
  JSON: { chunks: () => [Buffer.from('[{"title": "Mug"}]')], sentence: /JSON/ },
  "a binary file": { chunks: () => [Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0")], sentence: /binary/ },
  "a text that turns binary": { chunks: () => repeat("\0\xff", 2 * MIB), sentence: /binary/ },
  "10,000 columns": { chunks: () => [Buffer.from(`${"a,".repeat(10_000)}\n`)], sentence: /10001 columns.*500/ },
  "a cell of 50 MiB": { chunks: () => repeat("x", 50 * MIB), sentence: /Row 2 is longer than 1 MiB.*quotation marks/ },
  "a row of delimiters": { chunks: () => repeat(",", 50 * MIB), sentence: /Row 2 is longer/ },
  "a header without end": { chunks: () => repeat("a;", 50 * MIB, ""), sentence: /Row 1 is longer/ },
  "quotation marks in each other": { chunks: () => repeat('"a"b,', 50 * MIB), sentence: /Row 2 is longer/ },
  "escaped quotation marks without end": {
    chunks: () => repeat('""', 50 * MIB, 'Title,Price\n"'),
    sentence: /Row 2 is longer/,
  },
  "a quotation mark that is never closed": {
    chunks: () => [Buffer.from('Title,Price\nMug,1\n"Cup,2\nJar,3\n')],
    sentence: /Row 3 has a quotation mark that is never closed/,
  },
  "too many rows": { chunks: () => repeat("Mug,1\n", 2 * MIB), sentence: /more than 250,000 rows/ },
  "too many empty rows": { chunks: () => repeat(",\n", 4 * MIB), sentence: /more than 250,000 rows/ },
  "a product without end": {
    chunks: () => repeat("a,b\n", 100_000, "Handle,Variant Price\n"),
    sentence: /The product in row 2502 has more than 2,500 rows/,
  },
  "rows of a product that are far apart": {
    chunks: () => {
      const rows = Array.from({ length: 2_000 }, (_, index) => `${index},${"x".repeat(20_000)}\n`);
      const others = rows.map((_, index) => `${index},\n`);
      return [Buffer.from(`handle,title\n${[...rows, ...others].join("")}`)];
    },
    sentence: /too far from each other.*Sort/,
  },
};

describe("Files that cannot be read", () => {
  for (const [name, { chunks, sentence }] of Object.entries(files)) {
    it(`are refused with a sentence: ${name}`, async () => {
      async function* open() {
        yield* chunks();
      }
      const read = async () => {
        const { records } = await readImport(open, {
          kind: "PRODUCTS",
          currency: { currency: "EUR", currencyDecimals: 2 },
        });
        for await (const _ of records);
      };
      const error = await read().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(AppError);
      expect((error as AppError).code).to.equal("VALIDATION_FAILED");
      expect((error as AppError).message).to.match(sentence);
    });
  }
});
