import type { Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import { idIn, type RowKey } from "../../queries/row-key.ts";

/** The key that each took the place of, if any. All keys are of one shop. */
export async function loadPredecessors(
  database: Kysely<Database>,
  keys: readonly RowKey[],
): Promise<(string | null)[]> {
  const rows = await database
    .selectFrom("api_keys")
    .select(["id", "successor_id"])
    .where("shop_id", "=", keys[0]!.shopId)
    .where("successor_id", "=", idIn(keys))
    .execute();
  const predecessors = new Map(rows.map((row) => [row.successor_id, row.id]));
  return keys.map(({ id }) => predecessors.get(id) ?? null);
}
