import { InputType, Int } from "type-graphql";
import { field, inputOf, nullable } from "../model/fields.ts";
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
export class CreateImportInput extends inputOf({
  kind: field(ImportKind, "What the file contains."),
  fileName: field(String, "The name of the file, 1 to 255 characters, in one line."),
  fileSize: field(Int, `The size of the file in bytes, 1 to ${MAX_FILE_SIZE}.`),
}) {}

@InputType({ description: "Answers to the questions about a file." })
export class CheckImportInput extends inputOf({
  mapping: nullable([ImportMapping], "The columns to read. Guessed by their names if omitted."),
  decimalMark: nullable(DecimalMark, "The decimal mark. Guessed if omitted."),
  source: nullable(ImportSource, "The system that wrote it. Guessed if omitted."),
  encoding: nullable(String, `The encoding: ${chosenEncodings.join(", ")}. Guessed if omitted.`),
  emptyCells: nullable(EmptyCells, "What empty cells do. LEAVE if omitted."),
  language: nullable(String, "The language of the person, such as de or de-CH. A hint at the encoding."),
}) {}

@InputType({ description: "How to import a checked file." })
export class StartImportInput extends inputOf({
  existing: field(ExistingRecords, "How to treat existing records."),
  stock: field(ImportedStock, "How to treat the stock of existing variants.", { defaultValue: ImportedStock.LEAVE }),
  sendWebhooks: field(Boolean, "Whether to emit the events of each change.", { defaultValue: true }),
}) {}
