import type { Kysely } from "kysely";
import { runStatement, type Database } from "../../core/database.ts";
import { PLANNED_EACH_TIME } from "../../platform/preparing-driver.ts";
import { inBatches } from "./in-batches.ts";

/** How long events, deliveries and attempts are kept. */
const KEPT = "interval '30 days'";
const EVENTS_AT_ONCE = 1_000;

// Both statements look up the deliveries of each event by themselves. Joins would do the same, but where PostgreSQL, soon
// after a burst, still thinks that a table is empty: then they take a thousand times as long.

// Waits for nobody: a row that somebody holds is left for the next time, by this worker or another. A delivery that is
// locked is not replayed meanwhile.
const lockEvents = `
  with batch as materialized (
    select shop_id, id, created_at from events
    where created_at < now() - ${KEPT} and (created_at, shop_id, id) > ($1, $2, $3)
    order by created_at, shop_id, id limit ${EVENTS_AT_ONCE} for update skip locked
  )
  select shop_id as "shopId", id, created_at as "createdAt",
    (select count(*) from (
      select from deliveries where deliveries.shop_id = batch.shop_id and event_id = batch.id for update skip locked
    ) held) = (select count(*) from deliveries where deliveries.shop_id = batch.shop_id and event_id = batch.id)
    as "isHeld"
  from batch order by created_at, shop_id, id`;

// What is still to be delivered stays, with its event and its other deliveries. It is a statement of its own because it
// is to see what was replayed before the deliveries were locked.
const deleteEvents = `${PLANNED_EACH_TIME}
  with batch as materialized (
    select batch.shop_id, event_id, delivery_id,
      is_held and not coalesce(bool_or(status = 'PENDING') over (partition by batch.shop_id, event_id), false) as is_old
    from unnest($1::text[], $2::text[], $3::boolean[]) as batch (shop_id, event_id, is_held)
    left join lateral (
      select id as delivery_id, (
        select status from outstanding_deliveries outstanding
        where outstanding.shop_id = deliveries.shop_id and outstanding.id = deliveries.id
      )
      from deliveries where deliveries.shop_id = batch.shop_id and deliveries.event_id = batch.event_id offset 0
    ) delivery on true
  ), without_attempts as (
    -- Of events that stay, what is as old and failed: no attempt is older than its event.
    delete from delivery_attempts using batch
    where delivery_attempts.shop_id = batch.shop_id and delivery_attempts.delivery_id = batch.delivery_id
      and (is_old or started_at < now() - ${KEPT} and error_class is not null)
  ), without_outstanding as (
    delete from outstanding_deliveries using batch
    where is_old and outstanding_deliveries.shop_id = batch.shop_id and outstanding_deliveries.id = delivery_id
  ), without_deliveries as (
    delete from deliveries using batch
    where is_old and deliveries.shop_id = batch.shop_id and deliveries.id = delivery_id
  )
  delete from events using batch where is_old and events.shop_id = batch.shop_id and events.id = event_id`;

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
