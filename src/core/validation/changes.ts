import { isDeepStrictEqual } from "node:util";
import { AppError } from "../model/errors.ts";

/** Assigns the given values that differ, and returns their names and the old values. */
export function assignChanged<Entity extends object, Changes extends Partial<Entity>>(
  record: Entity,
  changes: Changes,
): { fields: (keyof Changes & string)[]; before: Partial<Entity> } {
  const changed = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(record[name as keyof Entity], value),
  );
  const before = Object.fromEntries(changed.map(([name]) => [name, record[name as keyof Entity]]));
  Object.assign(record, Object.fromEntries(changed));
  return { fields: Object.keys(before) as (keyof Changes & string)[], before: before as Partial<Entity> };
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
