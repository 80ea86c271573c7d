import { setImmediate as nextTurn } from "node:timers/promises";
import { parse, type Options } from "csv-parse";
import { parse as parseNow } from "csv-parse/sync";
import { MAX_ROWS } from "../../model/imports/imported.ts";
import { unreadable } from "./unreadable.ts";

export const MAX_COLUMNS = 500;
/** Bytes. */
const MAX_ROW_SIZE = 2 ** 20;
/** Bytes parsed in one turn of the event loop, which takes a few milliseconds. */
const PIECE_SIZE = 32 * 1024;

export interface Row {
  /** Counted as spreadsheets do: the header is row 1. */
  number: number;
  cells: string[];
}

const options: Options = {
  record_delimiter: ["\r\n", "\n", "\r"],
  // A quotation mark inside a cell is text, as in 5" pipe.
  relax_quotes: true,
  relax_column_count: true,
};

/** Excel names the delimiter in a line before the header, which it does not show. */
const DELIMITER_LINE = /^sep=(.)(?:\r\n|\n|\r)/;

/**
 * Reads the rows of a CSV file, without the empty ones. The first is the header.
 *
 * @throws AppError VALIDATION_FAILED when a row is endless or there are too many
 */
export async function* readRows(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row, void> {
  let number = 0;
  for await (const cells of readRecords(texts, delimiter)) {
    if (number > MAX_ROWS) {
      const remedy = "Split it into several files, with all rows of a product in one.";
      throw unreadable(`The file has more than ${MAX_ROWS.toLocaleString("en")} rows.`, remedy);
    }
    number += 1;
    if (cells.some((cell) => cell.trim() !== "")) yield { number, cells };
  }
}

async function* readRecords(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<string[], void> {
  const parser = parse({ ...options, ltrim: delimiter !== "\t", delimiter });
  parser.on("error", () => undefined);
  let isStart = true;
  let records = 0;
  let size = 0;
  for await (let text of texts) {
    if (isStart) text = text.replace(DELIMITER_LINE, "");
    isStart = false;
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += PIECE_SIZE) {
      const piece = bytes.subarray(start, start + PIECE_SIZE);
      parser.write(piece);
      // Parsed already: the parser works while it is written to.
      for (let record; (record = parser.read()) !== null;) yield record;
      size = parser.info.records > records ? 0 : size + piece.length;
      records = parser.info.records;
      await nextTurn();
      if (size > MAX_ROW_SIZE) throw endless(records + 1, "is longer than 1 MiB");
    }
  }
  parser.end();
  try {
    for await (const record of parser) yield record;
  } catch {
    throw endless(records + 1, "has a quotation mark that is never closed");
  }
}

const DELIMITERS = [",", ";", "\t", "|", "^"];
/** Rows that show a delimiter. */
const SAMPLE = 30;

/** The delimiter with which most rows have the same, largest number of columns. */
export function guessDelimiter(head: string): string {
  const named = DELIMITER_LINE.exec(head)?.[1];
  if (named) return named;
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(head, delimiter) }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

function scoreOf(head: string, delimiter: string): number {
  const rows = parseStart(head, delimiter).filter((cells) => cells.some((cell) => cell.trim() !== ""));
  const counts = Map.groupBy(rows, ({ length }) => length);
  const scores = [...counts].map(([count, alike]) => ((count - 1) * alike.length) / rows.length);
  // In "Title,<tab>Price", a comma ends the cell before the tab.
  const torn = rows[0]?.filter((cell) =>
    DELIMITERS.some((other) => /\S/.test(other) && cell.trimEnd().endsWith(other)),
  );
  return Math.max(0, ...scores) - (torn?.length ?? 0);
}

/** The first rows, without one that is cut. */
function parseStart(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  const onRecord = (cells: string[]) => void rows.push(cells);
  try {
    parseNow(text, { ...options, ltrim: delimiter !== "\t", delimiter, to: SAMPLE, on_record: onRecord as never });
  } catch {
    // A quotation mark is closed after the text ends.
  }
  return rows;
}

function endless(row: number, what: string) {
  return unreadable(`Row ${row} ${what}.`, "Check its quotation marks: a cell that has one needs it twice.");
}
