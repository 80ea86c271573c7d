import { sql, type Kysely, type SqlBool } from "kysely";
import type { Database } from "../../model/tables.ts";
import type { RowKey } from "../../queries/row-key.ts";

/** The limit of counting, so that a million cost no more. */
export const MAX_FAILED_COUNTED = 100_000;

/** An endpoint and a time. */
export interface FailedSinceKey extends RowKey {
  since: Date;
}

/** Counts the failed deliveries of endpoints of one shop, up to the limit. */
export async function countFailedDeliveries(
  database: Kysely<Database>,
  endpoints: readonly FailedSinceKey[],
): Promise<number[]> {
  const asked = sql<{ id: string; since: Date; position: number }>`
    unnest(${endpoints.map(({ id }) => id)}::text[], ${endpoints.map(({ since }) => since)}::timestamptz[]) with ordinality`;
  const rows = await database
    .selectFrom(asked.as<"asked">(sql`asked (id, since, position)`))
    .crossJoinLateral((query) =>
      query
        .selectFrom((failed) =>
          // What the index `outstanding_deliveries_failed` holds.
          failed
            .selectFrom("outstanding_deliveries")
            .select("id")
            .where("shop_id", "=", endpoints[0]!.shopId)
            .whereRef("endpoint_id", "=", "asked.id")
            .where(sql<SqlBool>`status = 'FAILED' and not is_test`)
            .whereRef("created_at", ">=", "asked.since")
            .limit(sql.lit(MAX_FAILED_COUNTED))
            .as("counted"),
        )
        .select(sql<number>`count(*)::int`.as("count"))
        .as("failed"),
    )
    .select("failed.count")
    .orderBy("asked.position")
    .execute();
  return rows.map(({ count }) => count);
}
