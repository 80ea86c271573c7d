import { isDeepStrictEqual } from "node:util";

/** Gives the record the values that are given and are not its own already; returns the names of those. */
export function assignChanged<Entity extends object>(record: Entity, changes: Partial<Entity>): string[] {
  const changed = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(record[name as keyof Entity], value),
  );
  Object.assign(record, Object.fromEntries(changed));
  return changed.map(([name]) => name);
}
