import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import { inBatches } from "./in-batches.ts";

/** How long events, deliveries and attempts are kept. */
const KEPT = "interval '30 days'";
const EVENTS_AT_ONCE = 1_000;

// Waits for nobody: a row that somebody holds is left for the next time, by this worker or another. A delivery that is
// locked is not replayed meanwhile.
const lockEvents = `
  with batch as materialized (
    select shop_id, id, created_at from events
    where created_at < now() - ${KEPT} and (created_at, shop_id, id) > ($1, $2, $3)
    order by created_at, shop_id, id limit ${EVENTS_AT_ONCE} for update skip locked
  ), held as materialized (
    select deliveries.shop_id, event_id from batch
    join deliveries on deliveries.shop_id = batch.shop_id and event_id = batch.id
    for update of deliveries skip locked
  ), done as (
    select shop_id, event_id, count(*) from held group by shop_id, event_id
  )
  select batch.shop_id as "shopId", batch.id, created_at as "createdAt", coalesce(done.count, 0) =
    (select count(*) from deliveries where deliveries.shop_id = batch.shop_id and event_id = batch.id) as "isHeld"
  from batch left join done on done.shop_id = batch.shop_id and event_id = batch.id
  order by created_at, batch.shop_id, batch.id`;

// What is still to be delivered stays, with its event and its other deliveries. It is a statement of its own because it
// is to see what was replayed before the deliveries were locked.
const deleteEvents = `
  with batch as (
    select * from unnest($1::text[], $2::text[], $3::boolean[]) as batch (shop_id, id, is_held)
  ), old as materialized (
    select shop_id, id from batch where is_held and not exists (
      select from deliveries join outstanding_deliveries outstanding
        on outstanding.shop_id = deliveries.shop_id and outstanding.id = deliveries.id
      where deliveries.shop_id = batch.shop_id and deliveries.event_id = batch.id and status = 'PENDING'
    )
  ), without_attempts as (
    -- Of events that stay, what is as old and failed: no attempt is older than its event.
    delete from delivery_attempts using batch, deliveries
    where deliveries.shop_id = batch.shop_id and event_id = batch.id
      and delivery_attempts.shop_id = deliveries.shop_id and delivery_id = deliveries.id
      and (started_at < now() - ${KEPT} and error_class is not null
        or (batch.shop_id, batch.id) in (select shop_id, id from old))
  ), without_outstanding as (
    delete from outstanding_deliveries using old, deliveries
    where deliveries.shop_id = old.shop_id and deliveries.event_id = old.id
      and outstanding_deliveries.shop_id = deliveries.shop_id and outstanding_deliveries.id = deliveries.id
  ), without_deliveries as (
    delete from deliveries using old where deliveries.shop_id = old.shop_id and event_id = old.id
  )
  delete from events using old where events.shop_id = old.shop_id and events.id = old.id`;

interface EventKey {
  createdAt: Date;
  shopId: string;
  id: string;
}

/**
 * Deletes events of 30 days ago, with their deliveries and attempts, and failed attempts that are as old, until `signal`
 * says to stop. Two workers may do it at once.
 */
export async function forgetOldEvents(database: Kysely<Database>, signal: AbortSignal): Promise<void> {
  // From one to the next, for some of them stay.
  let last: EventKey = { createdAt: new Date(0), shopId: "", id: "" };
  await inBatches(signal, async () => {
    const batch = await database.transaction().execute((transaction) => forgetBatch(transaction, last));
    last = batch.at(-1) ?? last;
    return batch.length === EVENTS_AT_ONCE;
  });
}

/** Answers which events it looked at: those that come after `last`. In a transaction. */
export async function forgetBatch(transaction: Kysely<Database>, last: EventKey): Promise<EventKey[]> {
  const { createdAt, shopId, id } = last;
  const batch = await runStatement<EventKey & { isHeld: boolean }>(transaction, lockEvents, [createdAt, shopId, id]);
  await runStatement(transaction, deleteEvents, [
    batch.map((event) => event.shopId),
    batch.map((event) => event.id),
    batch.map(({ isHeld }) => isHeld),
  ]);
  return batch;
}
