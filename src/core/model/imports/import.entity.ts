import { OptionalProps, PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { rowOf } from "../column.ts";
import { field, nullable, objectOf } from "../fields.ts";
import { CreatedRow } from "../created-row.ts";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import {
  ExistingRecords,
  ImportedStock,
  ImportKind,
  ImportState,
  type DecimalMark,
  type EmptyCells,
  type ImportSource,
} from "./import.enums.ts";
import { ImportFormat, type ImportMapping } from "./imported.ts";
import { OwnedRow } from "../shop-row.ts";

/** The most refusals that a report keeps. */
export const MAX_REFUSALS = 1_000;

@ObjectType({ description: "A record that an import refused.", simpleResolvers: true })
export class ImportRefusal extends objectOf({
  row: field(Int, "The first row of the record."),
  message: field(String, "Why it was refused."),
}) {}

/** What a person chose instead of the guesses about a file. */
export interface ChosenFormat {
  mapping?: ImportMapping[] | null;
  decimalMark?: DecimalMark | null;
  source?: ImportSource | null;
  encoding?: string | null;
  emptyCells?: EmptyCells | null;
  /** Of the person, such as de-CH: a hint at the encoding. */
  language?: string | null;
}

/** An import, and its report once it has ended. The file and its records are deleted within a day. */
@Entity({ tableName: "imports" })
@ObjectType({ description: "An import of products or customers from a CSV file.", simpleResolvers: true })
export class Import extends rowOf(CreatedRow, {
  kind: field(ImportKind, "What it imports."),
  state: field(ImportState, "Its state."),
  fileName: field(String, "The name of the file."),
  fileSize: field(Int, "The size of the file in bytes."),
  failure: nullable(String, "Why it failed, as a sentence. Null unless it failed."),
  itemCount: field(Int, "The number of records in the file. Increases while the file is checked."),
  faultyCount: field(Int, "The number of records with problems, which are never imported."),
  problemCount: field(Int, "The number of problems."),
  existing: nullable(ExistingRecords, "How it treats existing records. Null before it starts."),
  stock: nullable(ImportedStock, "How it treats stock. Null before it starts."),
  sendsWebhooks: nullable(Boolean, "Whether it emits events. Null before it starts."),
  createdCount: field(Int, "The number of records created."),
  updatedCount: field(Int, "The number of existing records updated."),
  unchangedCount: field(Int, "The number of existing records that were equal already, or to be left as they are."),
  refusedCount: field(Int, "The number of records refused during the import."),
  startedAt: nullable(TimestampScalar, "When it was started. Null before that."),
  endedAt: nullable(TimestampScalar, "When it ended. Null before that."),
}) {
  [OptionalProps]?: Exclude<keyof Import, keyof CreatedRow | "kind" | "state" | "fileName" | "fileSize" | "actor">;

  /** The `Actor` that makes the changes, without its permissions. */
  @Property({ type: "json" })
  actor!: object;

  @Property({ type: "json" })
  chosenFormat!: ChosenFormat;

  @Property({ type: "json", nullable: true })
  @Field(() => ImportFormat, { nullable: true, description: "How the file was read. Null before it was checked." })
  format!: ImportFormat | null;

  @Property({ type: "json" })
  @Field(() => [ImportRefusal], {
    description: `The refused records, in the order of the file. The first ${MAX_REFUSALS}.`,
    complexity: 10,
  })
  refusals!: ImportRefusal[];

  /** The number of the last record done. */
  @Property({ type: "integer" })
  lastNumber!: number;

  /** Not mapped: the sum of the counts. */
  @Field(() => Int, { description: "The number of records done, of `itemCount` less `faultyCount`." })
  doneCount!: number;

  /** Not mapped: computed from the progress. */
  @Field(() => Int, { nullable: true, description: "The estimated seconds until it ends. Null unless it is running." })
  secondsLeft!: number | null;
}

@ObjectType({ description: "A page of imports.", simpleResolvers: true })
export class ImportPage extends pageOf(Import) {}

/** A piece of an uploaded file. Deleted when the import starts or ends, and in any case within a day. */
@Entity({ tableName: "import_chunks" })
export class ImportChunk extends OwnedRow {
  [PrimaryKeyProp]?: ["shopId", "importId", "number"];

  @PrimaryKey({ type: "text" })
  importId!: string;

  @PrimaryKey({ type: "integer" })
  number!: number;

  @Property({ type: "bytea" })
  data!: Buffer;
}

/** A record of a file. Deleted within a day after the import. */
@Entity({ tableName: "import_items" })
export class StoredItem extends OwnedRow {
  [PrimaryKeyProp]?: ["shopId", "importId", "number"];

  @PrimaryKey({ type: "text" })
  importId!: string;

  /** In the order of the file, from 1. */
  @PrimaryKey({ type: "integer" })
  number!: number;

  @Property({ type: "integer" })
  firstRow!: number;

  @Property({ type: "integer" })
  lastRow!: number;

  @Property({ type: "json" })
  input!: unknown;

  /** Null if there are none. */
  @Property({ type: "json", nullable: true })
  problems!: unknown;
}
