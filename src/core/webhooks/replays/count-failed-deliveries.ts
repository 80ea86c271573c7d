import type { Kysely } from "kysely";
import { runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import type { RowKey } from "../../queries/row-key.ts";

/** The limit of counting, so that a million cost no more. */
export const MAX_FAILED_COUNTED = 100_000;

/** An endpoint and a time. */
export interface FailedSinceKey extends RowKey {
  since: Date;
}

/**
 * SQL: failed deliveries of events since a time that can be replayed. Uses the index `outstanding_deliveries_failed`.
 */
export const failedSince = (shopId: string, endpointId: string, since: string) =>
  `shop_id = ${shopId} and endpoint_id = ${endpointId} and status = 'FAILED' and not is_test and created_at >= ${since}`;

/** Counts the failed deliveries of endpoints of one shop, up to the limit. */
export async function countFailedDeliveries(
  database: Kysely<Database>,
  endpoints: readonly FailedSinceKey[],
): Promise<number[]> {
  const rows = await runStatement<{ count: number }>(
    database,
    `select (
      select count(*)::int from (
        select from outstanding_deliveries where ${failedSince("$1", "asked.id", "asked.since")} limit ${MAX_FAILED_COUNTED}
      ) counted
    ) as count from unnest($2::text[], $3::timestamptz[]) with ordinality as asked (id, since, position)
    order by position`,
    [endpoints[0]!.shopId, endpoints.map(({ id }) => id), endpoints.map(({ since }) => since)],
  );
  return rows.map(({ count }) => count);
}
