// Text, since batches skip locked rows and use an index regardless of statistics.
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, query } from "../../core/queries/database.ts";
import { databaseTime } from "../../core/queries/database-time.ts";
import { transactional } from "../../core/queries/transaction.ts";
import { firstIdOf } from "../../core/model/ids.ts";
import { inBatches, eachShop } from "../batches.ts";

/** How long events, deliveries and attempts are kept. Milliseconds. */
export const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;
/** SQL: the same as an interval. */
export const RETENTION = `interval '${RETENTION_MS} milliseconds'`;
const EVENTS_AT_ONCE = 1_000;

// Events are found by id, which sorts by time, so no index by age is needed. Locked rows are skipped and left to a
// later run. Locking a delivery prevents a replay until then.
const lockEvents = `
  with batch as materialized (
    select id from events where shop_id = $1 and id > $2 and id < $3 and created_at < now() - ${RETENTION}
    order by id limit ${EVENTS_AT_ONCE} for update skip locked
  )
  select id,
    (select count(*) from (
      select from deliveries where deliveries.shop_id = $1 and event_id = batch.id for update skip locked
    ) held) = (select count(*) from deliveries where deliveries.shop_id = $1 and event_id = batch.id) as "isHeld"
  from batch order by id`;

// A separate statement, so that it sees replays from before the deliveries were locked. What nobody received from a pull
// endpoint is not kept for longer.
const readDeliveries = `
  select asked.event_id as "eventId", delivery.id, coalesce(delivery.status = 'PENDING', false) and not is_pull as "isPending"
  from unnest($2::text[]) as asked (event_id) cross join lateral (
    select id, (
      select status from outstanding_deliveries outstanding
      where outstanding.shop_id = $1 and outstanding.id = deliveries.id
    ), exists (
      select from webhook_endpoints endpoint
      where endpoint.shop_id = $1 and endpoint.id = deliveries.endpoint_id and pull_paused is not null
    ) as is_pull from deliveries where deliveries.shop_id = $1 and deliveries.event_id = asked.event_id offset 0
  ) delivery`;

/** Deletes old failed attempts of events that are kept. No attempt is older than its event. */
const deleteOldAttempts = `delete from delivery_attempts where shop_id = $1 and delivery_id = any($2)
  and started_at < now() - ${RETENTION} and error_class is not null`;

const deletions = [
  "delete from delivery_attempts where shop_id = $1 and delivery_id = any($2)",
  "delete from outstanding_deliveries where shop_id = $1 and id = any($2)",
  "delete from deliveries where shop_id = $1 and id = any($2)",
];
const deleteEvents = "delete from events where shop_id = $1 and id = any($2)";

/**
 * Deletes events older than 30 days with their deliveries and attempts, and failed attempts of that age. Stops when
 * `signal` aborts. Two workers may run it at the same time.
 */
export async function purgeEvents(em: EntityManager, signal: AbortSignal): Promise<void> {
  const end = firstIdOf("evt", new Date((await databaseTime(em)).getTime() - RETENTION_MS));
  await eachShop(em, signal, async (shopId) => {
    // Continues after the last id, because some events stay.
    let last = "";
    await inBatches(signal, async () => {
      const batch = await transactional(em, (transaction) => purgeBatch(transaction, shopId, { after: last, end }));
      last = batch.at(-1) ?? last;
      return batch.length === EVENTS_AT_ONCE;
    });
  });
}

/**
 * Purges a batch of the first events between `after` and `end`, in a transaction, and returns the ids that it examined.
 */
export async function purgeBatch(
  em: EntityManager,
  shopId: string,
  { after, end }: { after: string; end: string },
): Promise<string[]> {
  const database = kysely(em);
  const events = await query<{ id: string; isHeld: boolean }>(database, { text: lockEvents }, [shopId, after, end]);
  const ids = events.map(({ id }) => id);
  const deliveries = await query<DeliveryRow>(database, { text: readDeliveries }, [shopId, ids]);
  // An event with a pending delivery stays with all of its deliveries.
  const staying = new Set(events.filter(({ isHeld }) => !isHeld).map(({ id }) => id));
  for (const { eventId, isPending } of deliveries) if (isPending) staying.add(eventId);
  const deliveryIds = Object.groupBy(deliveries, ({ eventId }) => (staying.has(eventId) ? "staying" : "old"));
  const idsOf = (rows: DeliveryRow[] = []) => rows.map(({ id }) => id);
  await query(database, { text: deleteOldAttempts }, [shopId, idsOf(deliveryIds.staying)]);
  for (const text of deletions) await query(database, { text }, [shopId, idsOf(deliveryIds.old)]);
  await query(database, { text: deleteEvents }, [shopId, ids.filter((id) => !staying.has(id))]);
  return ids;
}

interface DeliveryRow {
  eventId: string;
  id: string;
  isPending: boolean;
}
