import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import { inBatches } from "./in-batches.ts";

/** How long events, deliveries and attempts are kept. */
const KEPT = "interval '30 days'";
const EVENTS_AT_ONCE = 1_000;

// A transaction of its own, which waits for nobody: a row that somebody holds is left for the next time, by this worker
// or another. What is still to be delivered stays, with its event and its other deliveries. The locks keep a delivery
// that is replayed just now from going: either it is seen to be pending, or the replay does not find it.
const deleteEvents = `
  with batch as materialized (
    select shop_id, id, created_at from events
    where created_at < now() - ${KEPT} and (created_at, shop_id, id) > ($1, $2, $3)
    order by created_at, shop_id, id limit ${EVENTS_AT_ONCE} for update skip locked
  ), held as materialized (
    select deliveries.shop_id, event_id from batch
    join deliveries on deliveries.shop_id = batch.shop_id and event_id = batch.id and status <> 'PENDING'
    for update of deliveries skip locked
  ), done as (
    select shop_id, event_id, count(*) from held group by shop_id, event_id
  ), old as materialized (
    select batch.shop_id, batch.id from batch
    left join done on done.shop_id = batch.shop_id and event_id = batch.id
    where coalesce(done.count, 0) =
      (select count(*) from deliveries where deliveries.shop_id = batch.shop_id and deliveries.event_id = batch.id)
  ), without_attempts as (
    -- Of events that stay, what is as old: no attempt is older than its event.
    delete from delivery_attempts using batch, deliveries
    where deliveries.shop_id = batch.shop_id and event_id = batch.id
      and delivery_attempts.shop_id = deliveries.shop_id and delivery_id = deliveries.id
      and (started_at < now() - ${KEPT} or (batch.shop_id, batch.id) in (select shop_id, id from old))
  ), without_deliveries as (
    delete from deliveries using old where deliveries.shop_id = old.shop_id and event_id = old.id
  ), deleted as (
    delete from events using old where events.shop_id = old.shop_id and events.id = old.id
  )
  select shop_id as "shopId", id, created_at as "createdAt" from batch order by created_at, shop_id, id`;

interface EventKey {
  createdAt: Date;
  shopId: string;
  id: string;
}

/**
 * Deletes events of 30 days ago, with their deliveries and attempts, and attempts that are as old, until `signal` says
 * to stop. Two workers may do it at once.
 */
export async function forgetOldEvents(database: Kysely<Database>, signal: AbortSignal): Promise<void> {
  // From one to the next, for some of them stay.
  let last: EventKey = { createdAt: new Date(0), shopId: "", id: "" };
  await inBatches(signal, async () => {
    const { createdAt, shopId, id } = last;
    const batch = await runStatement<EventKey>(database, deleteEvents, [createdAt, shopId, id]);
    last = batch.at(-1) ?? last;
    return batch.length === EVENTS_AT_ONCE;
  });
}
