import { OptionalProps, PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { Column } from "../column.ts";
import { CreatedRow } from "../created-row.ts";
import { field, objectOf } from "../fields.ts";
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
export class Import extends CreatedRow {
  [OptionalProps]?: Exclude<keyof Import, keyof CreatedRow | "kind" | "state" | "fileName" | "fileSize" | "actor">;

  @Column(() => ImportKind, { description: "What it imports." })
  kind!: ImportKind;

  @Column(() => ImportState, { description: "Its state." })
  state!: ImportState;

  @Column(() => String, { description: "The name of the file." })
  fileName!: string;

  @Column(() => Int, { description: "The size of the file in bytes." })
  fileSize!: number;

  /** The `Actor` that makes the changes, without its permissions. */
  @Property({ type: "json" })
  actor!: object;

  @Property({ type: "json" })
  chosenFormat!: ChosenFormat;

  @Property({ type: "json", nullable: true })
  @Field(() => ImportFormat, { nullable: true, description: "How the file was read. Null before it was checked." })
  format!: ImportFormat | null;

  @Column(() => String, { nullable: true, description: "Why it failed, as a sentence. Null unless it failed." })
  failure!: string | null;

  @Column(() => Int, { description: "The number of records in the file. Increases while the file is checked." })
  itemCount!: number;

  @Column(() => Int, { description: "The number of records with problems, which are never imported." })
  faultyCount!: number;

  @Column(() => Int, { description: "The number of problems." })
  problemCount!: number;

  @Column(() => ExistingRecords, {
    nullable: true,
    description: "How it treats existing records. Null before it starts.",
  })
  existing!: ExistingRecords | null;

  @Column(() => ImportedStock, { nullable: true, description: "How it treats stock. Null before it starts." })
  stock!: ImportedStock | null;

  @Column(() => Boolean, { nullable: true, description: "Whether it emits events. Null before it starts." })
  sendsWebhooks!: boolean | null;

  @Column(() => Int, { description: "The number of records created." })
  createdCount!: number;

  @Column(() => Int, { description: "The number of existing records updated." })
  updatedCount!: number;

  @Column(() => Int, {
    description: "The number of existing records that were equal already, or to be left as they are.",
  })
  unchangedCount!: number;

  @Column(() => Int, { description: "The number of records refused during the import." })
  refusedCount!: number;

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

  @Column(() => TimestampScalar, { nullable: true, description: "When it was started. Null before that." })
  startedAt!: Date | null;

  /** Not mapped: computed from the progress. */
  @Field(() => Int, { nullable: true, description: "The estimated seconds until it ends. Null unless it is running." })
  secondsLeft!: number | null;

  @Column(() => TimestampScalar, { nullable: true, description: "When it ended. Null before that." })
  endedAt!: Date | null;
}

@ObjectType({ description: "A page of imports.", simpleResolvers: true })
export class ImportPage extends pageOf(Import) {}

/** A piece of an uploaded file. Deleted when the import starts or ends, and in any case within a day. */
@Entity({ tableName: "import_chunks" })
export class ImportChunk {
  [PrimaryKeyProp]?: ["shopId", "importId", "number"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  importId!: string;

  @PrimaryKey({ type: "integer" })
  number!: number;

  @Property({ type: "bytea" })
  data!: Buffer;
}

/** A record of a file. Deleted within a day after the import. */
@Entity({ tableName: "import_items" })
export class StoredItem {
  [PrimaryKeyProp]?: ["shopId", "importId", "number"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

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
