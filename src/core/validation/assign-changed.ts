import { isDeepStrictEqual } from "node:util";

/** Assigns the given values that differ, and returns their names. */
export function assignChanged<Entity extends object>(record: Entity, changes: Partial<Entity>): string[] {
  const changed = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(record[name as keyof Entity], value),
  );
  Object.assign(record, Object.fromEntries(changed));
  return changed.map(([name]) => name);
}
