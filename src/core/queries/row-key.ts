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
