import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../access/operation.ts";
import type { ImportedStock } from "../model/imports/import.enums.ts";

/** Imports records of one kind by the operations of the API. */
export interface Importer<Input, Existing> {
  /** Finds the records of the shop that each input means. More than one is a contradiction. */
  findExisting: (operation: Operation, inputs: readonly Input[]) => Promise<Existing[][]>;
  /** @throws AppError */
  create: (operation: Operation, input: Input) => Promise<void>;
  /** Updates the given fields. Returns false if nothing differs. @throws AppError */
  update: (
    operation: Operation,
    existing: Existing,
    input: Input,
    options: { stock: ImportedStock; note: string },
  ) => Promise<boolean>;
}

/** The given fields that differ from those of the record. */
export function differing<Fields extends object>(record: Fields, given: Partial<Fields>): Partial<Fields> {
  const changed = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(record[name as keyof Fields], value),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}
