import { sql } from "kysely";

/** The key of a row: its shop and id. */
export interface RowKey {
  shopId: string;
  id: string;
}

/** The key of a row, and the selected fields of its related records. */
export interface FieldsKey extends RowKey {
  fields: ReadonlySet<string>;
}

/** The fields that any key selects. */
export function fieldsOf(keys: readonly FieldsKey[]): ReadonlySet<string> {
  return new Set(keys.flatMap(({ fields }) => [...fields]));
}

/**
 * Compares with any of these ids, for `where("id", "=", …)`. A single parameter, so a single prepared statement for any
 * number of ids.
 */
export function idIn(keys: readonly RowKey[]) {
  return sql<string>`any(${keys.map((key) => key.id)})`;
}

/** Returns the row of each key, or null if it was not found. */
export function matchByRequest<Row extends { id: string }>(
  keys: readonly RowKey[],
  rows: readonly Row[],
): (Row | null)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return keys.map(({ id }) => byId.get(id) ?? null);
}

/** Groups the found rows by the requested row. */
export function groupByRequest<Row extends { position: unknown }>(
  keys: readonly unknown[],
  rows: readonly Row[],
): Row[][] {
  const byPosition = Map.groupBy(rows, ({ position }) => Number(position));
  return keys.map((_, index) => byPosition.get(index + 1) ?? []);
}
