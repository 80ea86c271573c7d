// Text, since every row conflicts. An update would find them by a join, planned by outdated statistics.
import type { Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import { query } from "../../queries/database.ts";
import type { RowKey } from "../../queries/row-key.ts";
import { INTERVAL, type FailedSinceKey } from "./replay-progress.ts";

/** The maximum number of deliveries of one request. */
export const MAX_REPLAYED = 10_000;

/** SQL: on conflict, resets an outstanding delivery as if never attempted. The log keeps its attempts. */
const RESET = `on conflict (id, shop_id) do update set
  status = 'PENDING', attempts = 0, response_status = null, error_class = null, error = null,
  attempted_at = null, next_attempt_at = excluded.next_attempt_at, is_replayed = excluded.is_replayed`;

const one = `
  insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, is_test, created_at, status, attempts,
    next_attempt_at)
  select deliveries.*, 'PENDING', 0, now() from deliveries where shop_id = $1 and id = $2
  ${RESET}`;

/** Replays a locked delivery immediately. */
export async function takeDelivery(database: Kysely<Database>, { shopId, id }: RowKey): Promise<void> {
  await query(database, { text: one }, [shopId, id]);
}

const oldest = `
  with replayed as (
    insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, created_at, is_replayed, status,
      attempts, next_attempt_at)
    select oldest.shop_id, oldest.id, event_id, endpoint_id, topic, created_at, true, 'PENDING', 0,
      coalesce($4::timestamptz + (row_number() over (order by created_at, oldest.id) - 1) * interval '${INTERVAL} milliseconds',
        created_at)
    from (
      select * from outstanding_deliveries
      where shop_id = $1 and endpoint_id = $2 and status = 'FAILED' and not is_test and created_at >= $3
      order by created_at, id limit ${MAX_REPLAYED}
      -- Skips deliveries that another request is replaying.
      for no key update skip locked
    ) oldest
    -- Skips deliveries that retention is deleting.
    cross join lateral (
      select from deliveries where deliveries.shop_id = $1 and deliveries.id = oldest.id
      for no key update skip locked
    ) held
    ${RESET}
    returning 1
  )
  select count(*)::int as count from replayed`;

/**
 * Replays the oldest failed deliveries since a time, in batches that start at another, and returns their number.
 * Without the other, they are due in the order of their events, for a pull endpoint.
 */
export async function takeOldest(
  database: Kysely<Database>,
  { shopId, id, since }: FailedSinceKey,
  from: Date | null,
): Promise<number> {
  const [taken] = await query<{ count: number }>(database, { text: oldest }, [shopId, id, since, from]);
  return taken!.count;
}
