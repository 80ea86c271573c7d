import { sql } from "kysely";

/** The key of a row of a shop. */
export interface RowKey {
  shopId: string;
  id: string;
}

/** The key of a row, and the fields of what hangs from it that are asked for. */
export interface FieldsKey extends RowKey {
  fields: ReadonlySet<string>;
}

/** The fields that any of them is asked for. */
export function fieldsOf(keys: readonly FieldsKey[]): ReadonlySet<string> {
  return new Set(keys.flatMap(({ fields }) => [...fields]));
}

/** Any of these rows, for `where("id", "=", …)`. One parameter however many they are, so one prepared statement. */
export function idIn(keys: readonly RowKey[]) {
  return sql<string>`any(${keys.map((key) => key.id)})`;
}

/** SQL: the requested rows, for `selectFrom`, with their positions. */
export function asked(keys: readonly RowKey[]) {
  const ids = keys.map(({ id }) => id);
  return sql<{ id: string; position: number }>`unnest(${ids}::text[]) with ordinality`.as<"asked">(
    sql`asked (id, position)`,
  );
}

/** What was found for each of the rows that are asked for. */
export function groupAsked<Row extends { position: unknown }>(keys: readonly unknown[], rows: readonly Row[]): Row[][] {
  const byPosition = Map.groupBy(rows, ({ position }) => Number(position));
  return keys.map((_, index) => byPosition.get(index + 1) ?? []);
}
