import { sql } from "kysely";

/** The key of a row of a shop. */
export interface RowKey {
  shopId: string;
  id: string;
}

/** Any of these rows, for `where("id", "=", …)`. One parameter however many they are, so one prepared statement. */
export function idIn(keys: readonly RowKey[]) {
  return sql<string>`any(${keys.map((key) => key.id)})`;
}
