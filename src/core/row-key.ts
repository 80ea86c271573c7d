import { sql } from "kysely";

/** What names a row of a shop. */
export interface RowKey {
  shopId: string;
  id: string;
}

/** For `where("id", "=", …)`: any of these rows. One parameter however many they are, so one prepared statement. */
export function anyOf(keys: readonly RowKey[]) {
  return sql<string>`any(${keys.map((key) => key.id)})`;
}
