import type { Currency } from "../../platform/money.ts";
import { cut } from "../../platform/texts.ts";
import { unescapeFormula } from "../csv/columns.ts";
import { DecimalMarkFinder } from "./formats/amounts.ts";
import { guessMapping, recognizeSource } from "./formats/column-names.ts";
import { decodeText, detectEncoding, sampleTexts, type DetectedEncoding } from "./formats/decode-text.ts";
import type { ReadRecord } from "./formats/draft.ts";
import { RowGroups } from "./formats/group-rows.ts";
import { readCustomer } from "./formats/read-customer.ts";
import { readProduct } from "./formats/read-product.ts";
import { guessDelimiter, MAX_COLUMNS, readRows, type Row } from "./formats/read-rows.ts";
import { Sheet } from "./formats/sheet.ts";
import { unreadable } from "./formats/unreadable.ts";
import type { ChosenFormat } from "../model/imports/import.entity.ts";
import type { ImportKind } from "../model/imports/import.enums.ts";
import type { ImportedProduct, ImportFormat } from "../model/imports/imported.ts";

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
  format: ImportFormat;
  /** Yields nothing while questions are open. */
  records: AsyncIterable<ReadRecord>;
}

/**
 * Recognizes the format of a file and reads its records: bytes become text, text becomes rows, rows become records.
 * Reads the file twice here and once for `records`, and holds only rows of products that have further rows below.
 *
 * @throws AppError VALIDATION_FAILED with a sentence when it cannot be read, here or from `records`
 */
export async function readImport(open: OpenFile, options: ReadImportOptions): Promise<ReadImport> {
  const detected = await detectEncoding(open(), options);
  const delimiter = guessDelimiter(detected.head);
  const openRows = () => readRows(decodeText(open(), detected.encoding), delimiter);
  const header = await findHeader(openRows(), options);
  const format = formatOf(detected, delimiter, header, options);
  const sheet = new Sheet(format);
  const groups = new RowGroups(sheet);
  const amounts = new DecimalMarkFinder();
  for await (const row of rowsAfter(openRows(), header)) {
    sheet.count(row);
    if (options.kind === "PRODUCTS") groups.count(row);
    for (const { text } of sheet.cells(row, "PRICE")) amounts.add(text);
  }
  const usual = format.source === "OTHER" || format.source === "WOOCOMMERCE" ? undefined : "POINT";
  const decimalMark = options.decimalMark ?? amounts.find(options.currency.currencyDecimals, usual);
  format.decimalMark = decimalMark ?? null;
  if (!detected.isSure) format.questions.push("ENCODING");
  if (!isUsable(sheet, options)) format.questions.push("MAPPING");
  if (decimalMark === undefined) format.questions.push("DECIMAL_MARK");
  const rows = format.questions.length > 0 ? none() : rowsAfter(openRows(), header);
  return { format, records: readRecords(rows, groups, sheet, options.kind) };
}

function formatOf(
  detected: DetectedEncoding,
  delimiter: string,
  { columns, above }: Header,
  { kind, ...chosen }: ReadImportOptions,
): ImportFormat {
  const source = chosen.source ?? recognizeSource(kind, columns);
  return {
    source,
    encoding: detected.encoding,
    encodings: detected.candidates.map((name) => ({ name, samples: sampleTexts(detected.samples, name, delimiter) })),
    delimiter,
    columns,
    mapping: chosen.mapping ?? guessMapping(kind, source, columns),
    unreadColumns: [],
    emptyCells: chosen.emptyCells ?? "LEAVE",
    notes: above === 0 ? [] : [{ message: "Rows above the header, left out", count: above, row: 1 }],
    decimalMark: null,
    questions: [],
  };
}

interface Header {
  /** The number of its row. */
  row: number;
  columns: string[];
  /** The number of filled rows above it. */
  above: number;
}

/** The first row that names the required columns, below rows with less cells. Else the first row. */
async function findHeader(rows: AsyncGenerator<Row, void>, options: ReadImportOptions): Promise<Header> {
  const first: Row[] = [];
  for await (const row of rows) {
    if (first.push(row) > MAX_ROWS_ABOVE) break;
  }
  const filled = (row: Row) => row.cells.filter((cell) => cell.trim() !== "").length;
  const found = first.findIndex((row, index) => {
    const columns = readColumns(row);
    const source = recognizeSource(options.kind, columns);
    const sheet = new Sheet({ source, columns, mapping: guessMapping(options.kind, source, columns) } as ImportFormat);
    return isUsable(sheet, options) && first.slice(0, index).every((above) => filled(above) * 2 <= filled(row));
  });
  const above = Math.max(found, 0);
  const header = first[above];
  return { row: header?.number ?? 1, columns: header ? readColumns(header) : [], above };
}

function readColumns({ cells }: Row): string[] {
  if (cells.length > MAX_COLUMNS) {
    throw unreadable(`The file has ${cells.length} columns.`, `Remove columns until it has at most ${MAX_COLUMNS}.`);
  }
  return cells.map((cell) => cut(unescapeFormula(cell).trim(), MAX_COLUMN_NAME));
}

async function* rowsAfter(rows: AsyncGenerator<Row, void>, header: Header): AsyncGenerator<Row, void> {
  for await (const row of rows) {
    if (row.number > header.row) yield row;
  }
}

/** Records need a column that tells them apart, and a guess needs one more. */
function isUsable(sheet: Sheet, { kind, mapping }: ReadImportOptions): boolean {
  if (kind === "CUSTOMERS") return sheet.has("EMAIL");
  const hasKey = sheet.has("HANDLE") || sheet.has("TITLE") || sheet.has("SKU");
  if (mapping || sheet.format.source !== "OTHER") return hasKey;
  return sheet.has("PRICE") ? hasKey : sheet.has("SKU") && sheet.has("INVENTORY_QUANTITY");
}

async function* readRecords(
  rows: AsyncGenerator<Row, void>,
  groups: RowGroups,
  sheet: Sheet,
  kind: ImportKind,
): AsyncGenerator<ReadRecord, void> {
  if (kind === "CUSTOMERS") {
    for await (const row of rows) yield readCustomer(sheet, row);
  } else {
    for await (const group of groups.collect(rows)) {
      const { draft, input } = readProduct(sheet, group);
      const product = input as ImportedProduct;
      const isShared = product.handle !== undefined && groups.sharesSku(group);
      yield { draft, input: { ...product, ...(isShared && { foundBy: "HANDLE" }) } };
    }
  }
  sheet.format.unreadColumns = sheet.unreadColumns();
}

async function* none(): AsyncGenerator<Row, void> {}
