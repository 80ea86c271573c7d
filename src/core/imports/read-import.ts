import type { Currency } from "../../platform/money.ts";
import { unescapeFormula } from "./columns.ts";
import { DecimalMarkFinder } from "./formats/amounts.ts";
import { guessMapping, recognizeSource } from "./formats/column-names.ts";
import { decodeText } from "./formats/decode-text.ts";
import { RowGroups } from "./formats/group-rows.ts";
import { readCustomer } from "./formats/read-customer.ts";
import { readProduct } from "./formats/read-product.ts";
import { MAX_COLUMNS, readRows } from "./formats/read-rows.ts";
import { Sheet } from "./formats/sheet.ts";
import { unreadable } from "./formats/unreadable.ts";
import type { DecimalMark, ImportKind } from "../model/imports/import.enums.ts";
import type {
  ImportedCustomer,
  ImportedProduct,
  ImportFormat,
  ImportMapping,
  ImportProblem,
} from "../model/imports/imported.ts";

/** Characters. */
const MAX_COLUMN_NAME = 200;

/** Reads the file from its beginning. Can be called again. */
export type OpenFile = () => AsyncIterable<Buffer>;

export interface ReadImportOptions {
  kind: ImportKind;
  /** Of the shop. */
  currency: Currency;
  /** Chosen by a person, instead of a guess. */
  mapping?: ImportMapping[] | null;
  /** Chosen by a person, instead of a guess. */
  decimalMark?: DecimalMark | null;
}

/** A record of a file. */
export interface ReadItem {
  /** The first and the last row, counted as spreadsheets do: the header is row 1. */
  rows: [number, number];
  /** Satisfies the rules of the core and is normalized by them, unless there are problems. */
  input: ImportedProduct | ImportedCustomer;
  problems: ImportProblem[];
}

export interface ReadImport {
  format: ImportFormat;
  /** Yields nothing while questions are open. */
  items: AsyncIterable<ReadItem>;
}

/**
 * Recognizes the format of a file and reads its records. Reads the file once here and once for `items`, and holds only
 * rows of products that have further rows below.
 *
 * @throws AppError VALIDATION_FAILED with a sentence when it cannot be read, here or from `items`
 */
export async function readImport(open: OpenFile, options: ReadImportOptions): Promise<ReadImport> {
  const found = { encoding: "", delimiter: "" };
  const { columns, rows } = await readHeader(open, found);
  const source = recognizeSource(options.kind, columns);
  const mapping = options.mapping ?? guessMapping(options.kind, source, columns);
  const format: ImportFormat = { source, ...found, columns, mapping, decimalMark: null, questions: [] };
  const sheet = new Sheet(format);
  const groups = new RowGroups(sheet);
  const amounts = new DecimalMarkFinder();
  for await (const row of rows) {
    if (options.kind === "PRODUCTS") groups.count(row);
    for (const { text } of sheet.cells(row, "PRICE")) amounts.add(text);
  }
  const usual = source === "OTHER" || source === "WOOCOMMERCE" ? undefined : "POINT";
  const decimalMark = options.decimalMark ?? amounts.find(options.currency.currencyDecimals, usual);
  format.encoding = found.encoding;
  format.decimalMark = decimalMark ?? null;
  format.questions = [
    ...(isUsable(sheet, options) ? [] : (["MAPPING"] as const)),
    ...(decimalMark === undefined ? (["DECIMAL_MARK"] as const) : []),
  ];
  return { format, items: format.questions.length > 0 ? none() : readItems(open, sheet, groups, options) };
}

async function readHeader(open: OpenFile, found: { encoding: string; delimiter: string }) {
  const rows = readRows(decodeText(open(), found), found);
  const { value: header } = await rows.next();
  const cells = header?.cells ?? [];
  if (cells.length > MAX_COLUMNS) {
    throw unreadable(`The file has ${cells.length} columns.`, `Remove columns until it has at most ${MAX_COLUMNS}.`);
  }
  return { columns: cells.map((cell) => unescapeFormula(cell).trim().slice(0, MAX_COLUMN_NAME).toWellFormed()), rows };
}

/** A guess has to find what new records need, a person may update existing ones with less. */
function isUsable(sheet: Sheet, { kind, mapping }: ReadImportOptions): boolean {
  if (kind === "CUSTOMERS") return sheet.has("EMAIL");
  if (mapping || sheet.format.source !== "OTHER") return sheet.has("HANDLE") || sheet.has("TITLE") || sheet.has("SKU");
  return sheet.has("TITLE") && sheet.has("PRICE");
}

async function* readItems(
  open: OpenFile,
  sheet: Sheet,
  groups: RowGroups,
  { kind, currency }: ReadImportOptions,
): AsyncGenerator<ReadItem, void> {
  const { rows } = await readHeader(open, { encoding: "", delimiter: "" });
  if (kind === "CUSTOMERS") {
    for await (const row of rows) yield { rows: [row.number, row.number], ...readCustomer(sheet, row) };
    return;
  }
  const decimalMark = sheet.format.decimalMark ?? "POINT";
  for await (const group of groups.collect(rows)) {
    yield { rows: [group[0]!.number, group.at(-1)!.number], ...readProduct(sheet, group, { decimalMark, currency }) };
  }
}

async function* none(): AsyncGenerator<ReadItem, void> {}
