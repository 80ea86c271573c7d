import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { Customer, customerFields } from "../customers/customer.entity.ts";
import type { Product, productFields, Variant, variantFields } from "../products/product.entity.ts";
import { DecimalMark, ImportField, ImportQuestion, ImportSource } from "./import.enums.ts";

/** The largest file. Bytes. */
export const MAX_FILE_SIZE = 200 * 1024 * 1024;
/** The size of each piece of an upload but the last. Bytes. */
export const CHUNK_SIZE = 256 * 1024;
/** The most rows of a file, without its header. */
export const MAX_ROWS = 250_000;

/** A variant as read from a file. Absent fields have no column: an update leaves them unchanged. */
export type ImportedVariant = Partial<Pick<Variant, keyof typeof variantFields>>;
/** A product as read from a file. */
export type ImportedProduct = Partial<Pick<Product, keyof typeof productFields>> & { variants: ImportedVariant[] };
/** A customer as read from a file. */
export type ImportedCustomer = Partial<Pick<Customer, keyof typeof customerFields>> & Pick<Customer, "email">;

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

@ObjectType({ description: "How a file was read.", simpleResolvers: true })
export class ImportFormat {
  @Field(() => ImportSource, { description: "The system that wrote it." })
  source!: ImportSource;

  @Field(() => String, { description: "The encoding, such as UTF-8 or Windows-1252." })
  encoding!: string;

  @Field(() => String, { description: "The character between columns: a comma, a semicolon or a tab." })
  delimiter!: string;

  @Field(() => [String], { description: "The names of the columns, in the order of the file." })
  columns!: string[];

  @Field(() => [ImportMapping], { description: "The columns that were read, given or guessed by their names." })
  mapping!: ImportMapping[];

  @Field(() => DecimalMark, { nullable: true, description: "The decimal mark. Null if no amount shows it." })
  decimalMark!: DecimalMark | null;

  @Field(() => [ImportQuestion], { description: "The questions to answer with checkImport. Empty if there are none." })
  questions!: ImportQuestion[];
}
