import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { Customer, customerFields } from "../customers/customer.entity.ts";
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
export class ImportProblem {
  @Field(() => Int, { description: "The row, counted as spreadsheets do: the header is row 1." })
  row!: number;

  @Field(() => String, { nullable: true, description: "The name of the column. Null if the whole row is meant." })
  column!: string | null;

  @Field(() => String, { nullable: true, description: "The first 200 characters of the cell." })
  value!: string | null;

  @Field(() => String, { description: "What is wrong, as a sentence." })
  message!: string;

  @Field(() => String, { description: "What to do about it, as a sentence." })
  remedy!: string;
}

@ObjectType({ description: "A field and its column in a file.", simpleResolvers: true })
@InputType("ImportMappingInput", { description: "A field and its column in a file." })
export class ImportMapping {
  @Field(() => ImportField, { description: "The field." })
  field!: ImportField;

  @Field(() => Int, { description: "The position of the column in `columns`, starting at 0." })
  column!: number;
}

@ObjectType({ description: "An encoding that a file may have.", simpleResolvers: true })
export class ImportEncoding {
  @Field(() => String, { description: "The name, such as Windows-1252." })
  name!: string;

  @Field(() => [String], { description: "Up to three texts of the file as this encoding reads them." })
  samples!: string[];
}

@ObjectType({ description: "What the check did to some records, or an import will do.", simpleResolvers: true })
export class ImportNote {
  @Field(() => String, { description: "What it is, such as “Negative stock, imported as 0”." })
  message!: string;

  @Field(() => Int, { description: "How often it occurs." })
  count!: number;

  @Field(() => Int, { description: "The first row with it." })
  row!: number;
}

@ObjectType({ description: "How a file was read.", simpleResolvers: true })
export class ImportFormat {
  @Field(() => ImportSource, { description: "The system that wrote it." })
  source!: ImportSource;

  @Field(() => String, { description: "The encoding, such as UTF-8 or Windows-1252." })
  encoding!: string;

  @Field(() => [ImportEncoding], {
    description: "The encodings that the file may have, the best guess first. Empty for Unicode.",
  })
  encodings!: ImportEncoding[];

  @Field(() => String, { description: "The character between columns, such as a comma, a semicolon or a tab." })
  delimiter!: string;

  @Field(() => [String], { description: "The names of the columns, in the order of the file." })
  columns!: string[];

  @Field(() => [ImportMapping], { description: "The columns that were read, given or guessed by their names." })
  mapping!: ImportMapping[];

  @Field(() => [String], { description: "The names of the columns with values that are not imported." })
  unreadColumns!: string[];

  @Field(() => EmptyCells, { description: "What empty cells of SKU, barcode, description, name, phone and note do." })
  emptyCells!: EmptyCells;

  @Field(() => [ImportNote], { description: "What the check did to some records. Empty before it ends." })
  notes!: ImportNote[];

  @Field(() => DecimalMark, { nullable: true, description: "The decimal mark. Null if no amount shows it." })
  decimalMark!: DecimalMark | null;

  @Field(() => [ImportQuestion], { description: "The questions to answer with checkImport. Empty if there are none." })
  questions!: ImportQuestion[];
}
