import { isDeepStrictEqual } from "node:util";

/** Gives the record the values that are given and are not its own already; tells whether there was one. */
export function assignChanged<Entity extends object>(record: Entity, changes: Partial<Entity>): boolean {
  const changed = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(record[name as keyof Entity], value),
  );
  Object.assign(record, Object.fromEntries(changed));
  return changed.length > 0;
}
