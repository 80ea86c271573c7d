import type { Currency } from "../../../platform/money.ts";
import { cut } from "../../../platform/texts.ts";
import { unescapeFormula } from "../../csv/columns.ts";
import { DecimalMarkFinder } from "./amounts.ts";
import { guessMapping, recognizeSource } from "./column-names.ts";
import { decodeText, detectEncoding, sampleTexts } from "./decode-text.ts";
import type { FileRecord } from "./draft.ts";
import { RowGroups } from "./group-rows.ts";
import { readCustomer } from "./read-customer.ts";
import { readProduct } from "./read-product.ts";
import { guessDelimiter, MAX_COLUMNS, readRows, type Row } from "./read-rows.ts";
import { Sheet, type Layout } from "./sheet.ts";
import { unreadable } from "./unreadable.ts";
import type { ChosenFormat } from "../../model/imports/import.entity.ts";
import type { ImportKind, ImportQuestion } from "../../model/imports/import.enums.ts";
import type { ImportFormat } from "../../model/imports/imported.ts";

/** Characters. */
const MAX_COLUMN_NAME = 200;
/** Rows that may stand above the header. */
const MAX_ROWS_ABOVE = 10;

/** Reads the file from its beginning. Can be called again. */
export type OpenFile = () => AsyncIterable<Buffer>;

export interface ReadImportOptions extends ChosenFormat {
  kind: ImportKind;
  /** Of the shop. */
  currency: Currency;
}

export interface ReadImport {
  format: Omit<ImportFormat, "unreadColumns">;
  /** Yields nothing while questions are open. */
  records: AsyncIterable<FileRecord>;
  /** The names of the columns with values of which nothing was read, or not all, once all records were. */
  findUnreadColumns: () => string[];
}

/**
 * Recognizes the format of a file and reads its records: bytes become text, text becomes rows, rows become records.
 * Reads the file twice here and once for `records`, and holds only rows of products that have further rows below.
 *
 * @throws AppError VALIDATION_FAILED with a sentence when it cannot be read, here or from `records`
 */
export async function readImport(open: OpenFile, options: ReadImportOptions): Promise<ReadImport> {
  const { kind } = options;
  const { encoding, candidates, isSure, head, samples } = await detectEncoding(open(), options);
  const delimiter = guessDelimiter(head);
  const openRows = () => readRows(decodeText(open(), encoding), delimiter);
  const header = await findHeader(openRows(), options);
  const layout = layoutOf(kind, header.columns, options);
  const sheet = new Sheet(layout);
  const groups = new RowGroups(sheet);
  const amounts = new DecimalMarkFinder();
  for await (const row of rowsAfter(openRows(), header)) {
    sheet.count(row);
    if (kind === "PRODUCTS") groups.count(row);
    for (const { text } of sheet.cells(row, "PRICE")) amounts.add(text);
  }
  const usual = layout.source === "OTHER" || layout.source === "WOOCOMMERCE" ? undefined : "POINT";
  const found = options.decimalMark ?? amounts.find(options.currency.currencyDecimals, usual);
  const decimalMark = found ?? null;
  const questions: ImportQuestion[] = [];
  if (!isSure) questions.push("ENCODING");
  if (!isUsable(sheet, options)) questions.push("MAPPING");
  if (found === undefined) questions.push("DECIMAL_MARK");
  const encodings = candidates.map((name) => ({ name, samples: sampleTexts(samples, name, delimiter) }));
  const notes = header.above === 0 ? [] : [{ message: "Rows above the header, left out", count: header.above, row: 1 }];
  const rows = questions.length > 0 ? none() : rowsAfter(openRows(), header);
  return {
    format: { ...layout, encoding, encodings, delimiter, notes, decimalMark, questions },
    records:
      kind === "CUSTOMERS"
        ? readEach(rows, (row) => readCustomer(sheet, row))
        : readEach(groups.collect(rows), (group) =>
            readProduct(sheet, group, { decimalMark, sharesSku: groups.sharesSku(group) }),
          ),
    findUnreadColumns: () => sheet.unreadColumns(),
  };
}

/** What a person has not chosen is guessed. */
function layoutOf(kind: ImportKind, columns: string[], chosen: ChosenFormat): Layout {
  const source = chosen.source ?? recognizeSource(kind, columns);
  const mapping = chosen.mapping ?? guessMapping(kind, source, columns);
  return { source, columns, mapping, emptyCells: chosen.emptyCells ?? "LEAVE" };
}

/**
 * The first row that names the required columns, below rows with less cells. Else the first row. Returns its number, its
 * columns, and how many rows are above it.
 */
async function findHeader(rows: AsyncGenerator<Row, void>, options: ReadImportOptions) {
  const first: Row[] = [];
  for await (const row of rows) {
    if (first.push(row) > MAX_ROWS_ABOVE) break;
  }
  const filled = (row: Row) => row.cells.filter((cell) => cell.trim() !== "").length;
  const found = first.findIndex((row, index) => {
    const sheet = new Sheet(layoutOf(options.kind, readColumns(row), {}));
    return isUsable(sheet, options) && first.slice(0, index).every((above) => filled(above) * 2 <= filled(row));
  });
  const above = Math.max(found, 0);
  const header = first[above];
  return { number: header?.number ?? 1, columns: header ? readColumns(header) : [], above };
}

function readColumns({ cells }: Row): string[] {
  if (cells.length > MAX_COLUMNS) {
    throw unreadable(`The file has ${cells.length} columns.`, `Remove columns until it has at most ${MAX_COLUMNS}.`);
  }
  return cells.map((cell) => cut(unescapeFormula(cell).trim(), MAX_COLUMN_NAME));
}

async function* rowsAfter(rows: AsyncGenerator<Row, void>, header: { number: number }): AsyncGenerator<Row, void> {
  for await (const row of rows) {
    if (row.number > header.number) yield row;
  }
}

/** Records need a column that tells them apart, and a guess needs one more. */
function isUsable(sheet: Sheet, { kind, mapping }: ReadImportOptions): boolean {
  if (kind === "CUSTOMERS") return sheet.has("EMAIL");
  const hasKey = sheet.has("HANDLE") || sheet.has("TITLE") || sheet.has("SKU");
  if (mapping || sheet.layout.source !== "OTHER") return hasKey;
  return sheet.has("PRICE") ? hasKey : sheet.has("SKU") && sheet.has("INVENTORY_QUANTITY");
}

async function* readEach<Rows>(
  each: AsyncIterable<Rows>,
  read: (rows: Rows) => FileRecord,
): AsyncGenerator<FileRecord, void> {
  for await (const rows of each) yield read(rows);
}

async function* none(): AsyncGenerator<Row, void> {}
