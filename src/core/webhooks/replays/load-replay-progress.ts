import { expressionBuilder, sql, type Kysely, type NotNull, type SqlBool } from "kysely";
import type { Database } from "../../model/tables.ts";
import { shopParameter } from "../../queries/columns.ts";
import { idIn, type RowKey } from "../../queries/row-key.ts";
import { MAX_FAILED_COUNTED } from "./count-failed-deliveries.ts";
import type { ReplayProgress } from "./replay-progress.ts";

/** The interval between replayed deliveries, which leaves room for new ones. Milliseconds. */
export const INTERVAL = 20;

/** SQL: deliveries queued for a replay and not attempted since. Uses the index `outstanding_deliveries_replayed`. */
export function waitingReplays() {
  return expressionBuilder<Database, "webhook_endpoints">()
    .selectFrom("outstanding_deliveries")
    .select("outstanding_deliveries.id")
    .where("outstanding_deliveries.shop_id", "=", shopParameter)
    .whereRef("endpoint_id", "=", "webhook_endpoints.id")
    .where(sql<SqlBool>`is_replayed and status = 'PENDING' and attempted_at is null`);
}

/** Loads the progress of replays to endpoints of one shop. Null when none is running. */
export async function loadReplayProgress(
  database: Kysely<Database>,
  endpoints: readonly RowKey[],
): Promise<(ReplayProgress | null)[]> {
  const waiting = expressionBuilder<Database, "webhook_endpoints">()
    .selectFrom(waitingReplays().limit(sql.lit(MAX_FAILED_COUNTED)).as("counted"))
    .select(sql<number>`count(*)::int`.as("count"));
  const rows = await database
    .selectFrom("webhook_endpoints")
    .select(["id", "replay_started_at as startedAt", "replay_total as total"])
    .select(sql<number>`${waiting}`.as("waiting"))
    .select(sql<Date>`replays_until - ${sql.lit(INTERVAL)} * interval '1 millisecond'`.as("lastAt"))
    .where("shop_id", "=", endpoints[0]!.shopId)
    .where("id", "=", idIn(endpoints))
    .$narrowType<{ startedAt: NotNull }>()
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return endpoints.map(({ id }) => {
    const progress = byId.get(id);
    return progress && progress.waiting > 0 ? progress : null;
  });
}
