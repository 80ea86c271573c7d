import { Field, InputType, Int } from "type-graphql";
import { DecimalMark, ExistingRecords, ImportedStock, ImportKind } from "../model/imports/import.enums.ts";
import { ImportMapping, MAX_FILE_SIZE } from "../model/imports/imported.ts";

@InputType({ description: "A file to import." })
export class CreateImportInput {
  @Field(() => ImportKind, { description: "What the file contains." })
  kind!: ImportKind;

  @Field(() => String, { description: "The name of the file, 1 to 255 characters, in one line." })
  fileName!: string;

  @Field(() => Int, { description: `The size of the file in bytes, 1 to ${MAX_FILE_SIZE}.` })
  fileSize!: number;
}

@InputType({ description: "Answers to the questions about a file." })
export class CheckImportInput {
  @Field(() => [ImportMapping], {
    nullable: true,
    description: "The columns to read. Guessed by their names if omitted.",
  })
  mapping?: ImportMapping[] | null;

  @Field(() => DecimalMark, { nullable: true, description: "The decimal mark. Guessed if omitted." })
  decimalMark?: DecimalMark | null;
}

@InputType({ description: "How to import a checked file." })
export class StartImportInput {
  @Field(() => ExistingRecords, { description: "How to treat existing records." })
  existing!: ExistingRecords;

  @Field(() => ImportedStock, {
    defaultValue: ImportedStock.LEAVE,
    description: "How to treat the stock of existing variants.",
  })
  stock!: ImportedStock;

  @Field(() => Boolean, { defaultValue: true, description: "Whether to emit the events of each change." })
  sendWebhooks!: boolean;
}
