import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { Customer, customerFields } from "../customers/customer.entity.ts";
import { field, nullable, objectOf } from "../fields.ts";
import type { Product, productFields, Variant, variantFields } from "../products/product.entity.ts";
import { DecimalMark, EmptyCells, ImportField, ImportQuestion, ImportSource } from "./import.enums.ts";

/** The largest file. Bytes. */
export const MAX_FILE_SIZE = 200 * 1024 * 1024;
/** The size of each piece of an upload but the last. Bytes. */
export const CHUNK_SIZE = 256 * 1024;
/** The most rows of a file, without its header. */
export const MAX_ROWS = 250_000;

/** A variant as read from a file. Absent fields have no column: an update leaves them unchanged. */
export type ImportedVariant = Partial<Pick<Variant, keyof typeof variantFields | "metadata">>;
/** A product as read from a file. */
export type ImportedProduct = Partial<Pick<Product, keyof typeof productFields | "metadata">> & {
  variants: ImportedVariant[];
  /** Set in an export of this service whose SKUs other products of the file have, too. */
  foundBy?: "HANDLE";
};
/** Equal for SKUs that differ in case alone. */
export const skuKey = (sku: string) => sku.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A customer as read from a file. */
export type ImportedCustomer = Partial<Pick<Customer, keyof typeof customerFields | "metadata">> &
  Pick<Customer, "email">;

@ObjectType({ description: "A problem with a row of a file.", simpleResolvers: true })
export class ImportProblem extends objectOf({
  row: field(Int, "The row, counted as spreadsheets do: the header is row 1."),
  column: nullable(String, "The name of the column. Null if the whole row is meant."),
  value: nullable(String, "The first 200 characters of the cell."),
  message: field(String, "What is wrong, as a sentence."),
  remedy: field(String, "What to do about it, as a sentence."),
}) {}

@ObjectType({ description: "A field and its column in a file.", simpleResolvers: true })
@InputType("ImportMappingInput", { description: "A field and its column in a file." })
export class ImportMapping {
  @Field(() => ImportField, { description: "The field." })
  field!: ImportField;

  @Field(() => Int, { description: "The position of the column in `columns`, starting at 0." })
  column!: number;
}

@ObjectType({ description: "An encoding that a file may have.", simpleResolvers: true })
export class ImportEncoding extends objectOf({
  name: field(String, "The name, such as Windows-1252."),
  samples: field([String], "Up to three texts of the file as this encoding reads them."),
}) {}

@ObjectType({ description: "What the check did to some records, or an import will do.", simpleResolvers: true })
export class ImportNote extends objectOf({
  message: field(String, "What it is, such as “Negative stock, imported as 0”."),
  count: field(Int, "How often it occurs."),
  row: field(Int, "The first row with it."),
}) {}

@ObjectType({ description: "How a file was read.", simpleResolvers: true })
export class ImportFormat extends objectOf({
  source: field(ImportSource, "The system that wrote it."),
  encoding: field(String, "The encoding, such as UTF-8 or Windows-1252."),
  encodings: field([ImportEncoding], "The encodings that the file may have, the best guess first. Empty for Unicode."),
  delimiter: field(String, "The character between columns, such as a comma, a semicolon or a tab."),
  columns: field([String], "The names of the columns, in the order of the file."),
  mapping: field([ImportMapping], "The columns that were read, given or guessed by their names."),
  unreadColumns: field([String], "The names of the columns with values that are not imported."),
  emptyCells: field(EmptyCells, "What empty cells of SKU, barcode, description, name, phone and note do."),
  notes: field([ImportNote], "What the check did to some records. Empty before it ends."),
  decimalMark: nullable(DecimalMark, "The decimal mark. Null if no amount shows it."),
  questions: field([ImportQuestion], "The questions to answer with checkImport. Empty if there are none."),
}) {}
