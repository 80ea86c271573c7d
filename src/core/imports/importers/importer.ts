import type { Operation } from "../../access/operation.ts";
import type { InputIssue } from "../../model/errors.ts";
import type { ImportedStock } from "../../model/imports/import.enums.ts";
import type { DescribedRow } from "../../model/shop-row.ts";
import { differingMetadata } from "../../queries/metadata.sql.ts";
import { differing } from "../../validation/changes.ts";

/** What a record needs for itself: no other record of the file may have it. */
export interface Claim {
  name: string;
  /** True for what several records may have, unless one of them needs it for itself. */
  isShared?: boolean;
  /** The path in the input and the value, if the claim is a value. */
  path?: string;
  value?: string;
}

/** What an input means. */
export interface Found<Existing> {
  /** The records of the shop that fit. More than one is a contradiction. */
  existing: Existing[];
  /** The keys that a new record can have, the first if no record before it takes it. */
  newKeys: string[];
}

/** Imports records of one kind by the operations of the API. */
export interface Importer<Input, Existing> {
  /** Finds the records of the shop that each input means. */
  findExisting: (operation: Operation, inputs: readonly Input[]) => Promise<Found<Existing>[]>;
  /** What the record needs, of which others of the file have claimed some. */
  claimsOf: (input: Input, found: Found<Existing>, isClaimed: (name: string) => boolean) => Claim[];
  /** The reasons for which `create` or `update` would refuse the input. */
  findIssues: (input: Input, existing: Existing | undefined) => InputIssue[];
  /** The values that an update empties. */
  findCleared: (input: Input, existing: Existing) => string[];
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

/** The given values that differ from those of the record. */
export function changedFields<Fields extends DescribedRow, Given extends Partial<Fields>>(
  record: Fields,
  given: Given,
): Partial<Given> {
  const { metadata: _, ...fields } = differing(record, given);
  const metadata = differingMetadata(record, given.metadata);
  return { ...fields, ...(metadata.length > 0 && { metadata }) } as Partial<Given>;
}

/** The names of the fields that the given values empty or switch off. */
export function clearedFields<Fields extends object>(record: Fields, given: Partial<Fields>): string[] {
  const changes = Object.entries(differing(record, given));
  return changes.filter(([, value]) => value === "" || value === null || value === false).map(([name]) => name);
}
