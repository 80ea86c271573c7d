import type { Kysely } from "kysely";
import { runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import type { RowKey } from "../../queries/row-key.ts";
import { MAX_FAILED_COUNTED } from "./count-failed-deliveries.ts";
import type { ReplayProgress } from "./replay-progress.ts";

/** The interval between replayed deliveries, which leaves room for new ones. Milliseconds. */
export const INTERVAL = 20;

/** SQL: deliveries queued for a replay and not attempted since. Uses the index `outstanding_deliveries_replayed`. */
export const waitingReplays = (shopId: string, endpointId: string) =>
  `select from outstanding_deliveries where shop_id = ${shopId} and endpoint_id = ${endpointId}
    and is_replayed and status = 'PENDING' and attempted_at is null`;

const statement = `
  select id, replay_started_at as "startedAt", replay_total as total, waiting,
    replays_until - interval '${INTERVAL} milliseconds' as "lastAt"
  from webhook_endpoints endpoint cross join lateral (
    select count(*)::int as waiting from (${waitingReplays("$1", "endpoint.id")} limit ${MAX_FAILED_COUNTED}) counted
  ) replay
  where shop_id = $1 and id = any($2) and waiting > 0`;

/** Loads the progress of replays to endpoints of one shop. Null when none is running. */
export async function loadReplayProgress(
  database: Kysely<Database>,
  endpoints: readonly RowKey[],
): Promise<(ReplayProgress | null)[]> {
  const values = [endpoints[0]!.shopId, endpoints.map(({ id }) => id)];
  const rows = await runStatement<ReplayProgress & { id: string }>(database, statement, values);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return endpoints.map(({ id }) => byId.get(id) ?? null);
}
