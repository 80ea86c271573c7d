import { sql, type Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import { idIn, type RowKey } from "../../queries/row-key.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";

/** Loads when the oldest pending delivery of each endpoint of one shop is due. Null for none. */
export async function loadOldestDue(
  database: Kysely<Database>,
  endpoints: readonly RowKey[],
): Promise<(Date | null)[]> {
  const rows = await database
    .selectFrom("webhook_endpoints as endpoint")
    .select((builder) => [
      "endpoint.id",
      builder
        .selectFrom("outstanding_deliveries as outstanding")
        .select("next_attempt_at")
        .where("outstanding.shop_id", "=", endpoints[0]!.shopId)
        .whereRef("outstanding.endpoint_id", "=", "endpoint.id")
        // A literal, so that every plan can use the partial index.
        .where("status", "=", sql.lit(DeliveryStatus.PENDING))
        .where("next_attempt_at", "<=", sql<Date>`now()`)
        .orderBy("next_attempt_at")
        .limit(1)
        .as("oldestDueAt"),
    ])
    .where("endpoint.shop_id", "=", endpoints[0]!.shopId)
    .where("endpoint.id", "=", idIn(endpoints))
    .execute();
  const byId = new Map(rows.map(({ id, oldestDueAt }) => [id, oldestDueAt]));
  return endpoints.map(({ id }) => byId.get(id) ?? null);
}
