import type { Currency } from "../../platform/money.ts";
import { cut } from "../../platform/texts.ts";
import { unescapeFormula } from "./columns.ts";
import { DecimalMarkFinder } from "./formats/amounts.ts";
import { fieldOf, guessMapping, recognizeSource } from "./formats/column-names.ts";
import { decodeText, detectEncoding } from "./formats/decode-text.ts";
import { RowGroups } from "./formats/group-rows.ts";
import { RecordReader } from "./formats/record-reader.ts";
import { readProduct } from "./formats/read-product.ts";
import { guessDelimiter, MAX_COLUMNS, readRows, type Row } from "./formats/read-rows.ts";
import { Sheet } from "./formats/sheet.ts";
import { unreadable } from "./formats/unreadable.ts";
import { customerFields } from "../model/customers/customer.entity.ts";
import { newRecordSchema } from "../model/editable.ts";
import type { ChosenFormat } from "../model/imports/import.entity.ts";
import type { ImportKind } from "../model/imports/import.enums.ts";
import type { ImportedCustomer, ImportedProduct, ImportFormat, ImportProblem } from "../model/imports/imported.ts";

/** Characters. */
const MAX_COLUMN_NAME = 200;

/** Reads the file from its beginning. Can be called again. */
export type OpenFile = () => AsyncIterable<Buffer>;

export interface ReadImportOptions extends ChosenFormat {
  kind: ImportKind;
  /** Of the shop. */
  currency: Currency;
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
 * Recognizes the format of a file and reads its records. Reads the file twice here and once for `items`, and holds only
 * rows of products that have further rows below.
 *
 * @throws AppError VALIDATION_FAILED with a sentence when it cannot be read, here or from `items`
 */
export async function readImport(open: OpenFile, options: ReadImportOptions): Promise<ReadImport> {
  const { encoding, head } = await detectEncoding(open());
  const delimiter = guessDelimiter(head);
  const openRows = () => readRows(decodeText(open(), encoding), delimiter);
  const rows = openRows();
  const columns = readColumns(await rows.next());
  const source = recognizeSource(options.kind, columns);
  const mapping = options.mapping ?? guessMapping(options.kind, source, columns);
  const format: ImportFormat = { source, encoding, delimiter, columns, mapping, decimalMark: null, questions: [] };
  const sheet = new Sheet(format);
  const groups = new RowGroups(sheet);
  const amounts = new DecimalMarkFinder();
  for await (const row of rows) {
    if (options.kind === "PRODUCTS") groups.count(row);
    for (const { text } of sheet.cells(row, "PRICE")) amounts.add(text);
  }
  const usual = source === "OTHER" || source === "WOOCOMMERCE" ? undefined : "POINT";
  const decimalMark = options.decimalMark ?? amounts.find(options.currency.currencyDecimals, usual);
  format.decimalMark = decimalMark ?? null;
  if (!isUsable(sheet, options)) format.questions.push("MAPPING");
  if (decimalMark === undefined) format.questions.push("DECIMAL_MARK");
  return { format, items: format.questions.length > 0 ? none() : readItems(openRows(), groups, sheet, options) };
}

function readColumns({ value: header }: IteratorResult<Row, void>): string[] {
  const cells = header?.cells ?? [];
  if (cells.length > MAX_COLUMNS) {
    throw unreadable(`The file has ${cells.length} columns.`, `Remove columns until it has at most ${MAX_COLUMNS}.`);
  }
  return cells.map((cell) => cut(unescapeFormula(cell).trim(), MAX_COLUMN_NAME));
}

/** A guess has to find what new records need, a person may update existing ones with less. */
function isUsable(sheet: Sheet, { kind, mapping }: ReadImportOptions): boolean {
  if (kind === "CUSTOMERS") return sheet.has("EMAIL");
  if (mapping || sheet.format.source !== "OTHER") return sheet.has("HANDLE") || sheet.has("TITLE") || sheet.has("SKU");
  return sheet.has("TITLE") && sheet.has("PRICE");
}

async function* readItems(
  rows: AsyncGenerator<Row, void>,
  groups: RowGroups,
  sheet: Sheet,
  { kind, currency }: ReadImportOptions,
): AsyncGenerator<ReadItem, void> {
  await rows.next();
  if (kind === "CUSTOMERS") {
    for await (const row of rows) yield { rows: [row.number, row.number], ...readCustomer(sheet, row) };
    return;
  }
  const decimalMark = sheet.format.decimalMark ?? "POINT";
  for await (const group of groups.collect(rows)) {
    yield { rows: [group[0]!.number, group.at(-1)!.number], ...readProduct(sheet, group, { decimalMark, currency }) };
  }
}

const customerSchema = newRecordSchema(customerFields);
const customerFieldNames = Object.keys(customerFields) as (keyof typeof customerFields)[];

function readCustomer(sheet: Sheet, row: Row): { input: ImportedCustomer; problems: ImportProblem[] } {
  const reader = new RecordReader(sheet, [row]);
  const given = customerFieldNames.filter((name) => sheet.has(fieldOf(name)));
  const texts = Object.fromEntries(given.map((name) => [name, reader.take(name, fieldOf(name))]));
  if (texts.email?.trim() === "") reader.addAt("email", "The email address is missing.", "Write it in this cell.");
  const checked = reader.check(customerSchema, { ...texts, note: texts.note || null } as never);
  const input = Object.fromEntries(given.map((name) => [name, checked[name]]));
  return { input: input as unknown as ImportedCustomer, problems: reader.problems };
}

async function* none(): AsyncGenerator<ReadItem, void> {}
