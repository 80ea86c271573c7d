import type { Currency } from "../../platform/money.ts";
import type { DecimalMark, ImportKind } from "../model/imports/import.enums.ts";
import type {
  ImportedCustomer,
  ImportedProduct,
  ImportFormat,
  ImportMapping,
  ImportProblem,
} from "../model/imports/imported.ts";

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
 * Recognizes the format of a file and reads its records.
 *
 * @throws AppError VALIDATION_FAILED with a sentence when it cannot be read, here or from `items`
 */
export async function readImport(_open: OpenFile, _options: ReadImportOptions): Promise<ReadImport> {
  throw new Error("Not implemented yet");
}
