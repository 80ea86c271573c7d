import { Field, InputType, Int } from "type-graphql";
import {
  DecimalMark,
  EmptyCells,
  ExistingRecords,
  ImportedStock,
  ImportKind,
  ImportSource,
} from "../model/imports/import.enums.ts";
import { chosenEncodings } from "./formats/encodings.ts";
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

  @Field(() => ImportSource, { nullable: true, description: "The system that wrote it. Guessed if omitted." })
  source?: ImportSource | null;

  @Field(() => String, {
    nullable: true,
    description: `The encoding: ${chosenEncodings.join(", ")}. Guessed if omitted.`,
  })
  encoding?: string | null;

  @Field(() => EmptyCells, { nullable: true, description: "What empty cells do. LEAVE if omitted." })
  emptyCells?: EmptyCells | null;

  @Field(() => String, {
    nullable: true,
    description: "The language of the person, such as de or de-CH. A hint at the encoding.",
  })
  language?: string | null;
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
