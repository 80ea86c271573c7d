import { isDeepStrictEqual } from "node:util";
import { AppError } from "../model/errors.ts";

/** The given values that differ from those of the record. */
export function differing<Entity extends object, Given extends Partial<Entity>>(
  record: Entity,
  given: Given,
): Partial<Given> {
  const changed = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(record[name as keyof Entity], value),
  );
  return Object.fromEntries(changed) as Partial<Given>;
}

/** Assigns the given values that differ, and returns their names and the old values. */
export function assignChanged<Entity extends object, Given extends Partial<Entity>>(
  record: Entity,
  given: Given,
): { fields: (keyof Given & string)[]; before: Partial<Entity> } {
  const changed = differing(record, given);
  const fields = Object.keys(changed) as (keyof Given & string)[];
  const before = Object.fromEntries(fields.map((name) => [name, record[name as keyof Entity]]));
  Object.assign(record, changed);
  return { fields, before: before as Partial<Entity> };
}

interface Versioned {
  /** Increases with every change. */
  version: number;
  /** The version of the last edit. Equal to `version` if every change is an edit. */
  editedVersion?: number;
}

/** @throws AppError VERSION_CONFLICT when the record was edited since the expected version */
export function checkVersion(
  { version, editedVersion = version }: Versioned,
  expected: number | null | undefined,
): void {
  if (expected == null || (expected >= editedVersion && expected <= version)) return;
  throw new AppError("VERSION_CONFLICT", `The record has changed: its version is ${version}, not ${expected}`, {
    hint: "Read it again and repeat your change.",
  });
}
