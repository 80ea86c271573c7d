// Text, since a lease reads two indexes in order, with `for update skip locked`.
import type { EntityManager } from "@mikro-orm/postgresql";
import { ID, Int, ObjectType } from "type-graphql";
import { extensionOf, field } from "../../model/fields.ts";
import { newId } from "../../model/ids.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { EventChange } from "../../model/webhooks/event.entity.ts";
import { kysely, query } from "../../queries/database.ts";
import type { RowKey } from "../../queries/row-key.ts";

/** A delivery of a pull endpoint, as its receiver gets it. */
@ObjectType({ description: "An event received from a pull endpoint.", simpleResolvers: true })
export class ReceivedEvent extends extensionOf(EventChange, {
  id: field(ID, "The ID of the delivery, starting with whd_. Acknowledge it with acknowledgeEvents."),
  event: field(
    String,
    "The JSON body, exactly as webhooks send it. Its id identifies the event, and is the same if it comes again.",
  ),
  topic: field(String, "The topic of the event, such as product.created."),
  isTest: field(Boolean, "Whether this is a test event, requested by staff. The IDs in its body match no record."),
  createdAt: field(TimestampScalar, "When the event occurred."),
  attempts: field(Int, "How often it was received, including now. Over 1 if a lease ended."),
}) {}

/** SQL: a delivery that a caller has received. A failed attempt of a push endpoint has an error. */
const LEASED = "status = 'PENDING' and attempted_at is not null and error_class is null";

// None of these statements has a name: a kept plan of an almost empty table would read all that wait after a burst.

// A lease is a delivery's next time in the future, so a lease that ends needs no statement. Ended ones come first: they
// are older than what nobody has received. Both lists are read by an index that starts with the endpoint, in its order.
const lease = {
  text: `
  with ended as materialized (
    select id from outstanding_deliveries
    where shop_id = $1 and endpoint_id = $2 and ${LEASED} and next_attempt_at <= now()
    order by next_attempt_at limit $3 for update skip locked
  ), waiting as materialized (
    select id from outstanding_deliveries
    where shop_id = $1 and endpoint_id = $2 and status = 'PENDING' and next_attempt_at <= now()
      and (attempted_at is null or error_class is not null)
    order by next_attempt_at limit $3 - (select count(*) from ended) for update skip locked
  ), leased as (
    update outstanding_deliveries set next_attempt_at = now() + $4 * interval '1 second', attempted_at = now(),
      attempts = attempts + 1, error_class = null, error = null, fetched_by = $5
    where shop_id = $1 and id = any(array(select id from ended union all select id from waiting))
    returning id, event_id, topic, is_test, created_at, attempts
  )
  select $1 as "shopId", leased.id, body as event, changed, actor_id as "actorId", topic, is_test as "isTest", created_at as "createdAt", attempts
  from leased left join lateral (
    -- A look-up by key, even if PostgreSQL expects few deliveries.
    select body, changed, actor_id from events where events.shop_id = $1 and events.id = leased.event_id offset 0
  ) event on true
  order by created_at, id`,
};

interface EndpointCaller extends RowKey {
  actorId: string;
}

/** Leases the oldest deliveries that nobody has leased. */
export function leaseEvents(
  em: EntityManager,
  { shopId, id, actorId }: EndpointCaller,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<ReceivedEvent[]> {
  return query<ReceivedEvent>(kysely(em), lease, [shopId, id, limit, leaseSeconds, actorId]);
}

const fetched = {
  text: `update webhook_endpoints set last_fetched_at = now(), last_fetched_by = $3 where shop_id = $1 and id = (
    -- A replay may hold the lock for seconds. The next caller is recorded instead.
    select id from webhook_endpoints where shop_id = $1 and id = $2 for no key update skip locked)`,
};

/** Records the last fetch of an endpoint: its time and caller. */
export async function recordFetch(em: EntityManager, { shopId, id, actorId }: EndpointCaller): Promise<void> {
  await query(kysely(em), fetched, [shopId, id, actorId]);
}

const nextEnd = {
  text: `select extract(epoch from next_attempt_at - now())::float8 * 1000 as wait from outstanding_deliveries
    where shop_id = $1 and endpoint_id = $2 and status = 'PENDING' and next_attempt_at is not null
    order by next_attempt_at limit 1`,
};

/** The milliseconds until the next lease ends. Undefined when nothing is leased. */
export async function findNextEnd(em: EntityManager, { shopId, id }: RowKey): Promise<number | undefined> {
  const [next] = await query<{ wait: number }>(kysely(em), nextEnd, [shopId, id]);
  return next?.wait;
}

// By the ids alone: with conditions on columns of other indexes, PostgreSQL would read all that wait or are leased,
// because it often expects few.
const IS_PENDING = "status || '' = 'PENDING'";
const IS_LEASED = `${IS_PENDING} and attempted_at is not null and coalesce(error_class, '') = ''`;

const change = (work: string, condition: string) => `${work}
  where shop_id = $1 and id = any($3) and endpoint_id || '' = $2 and ${condition}
  returning id, attempts, attempted_at, fetched_by`;

const changes = {
  acknowledge: { text: change("delete from outstanding_deliveries", IS_PENDING) },
  extend: {
    text: change("update outstanding_deliveries set next_attempt_at = now() + $4 * interval '1 second'", IS_LEASED),
  },
  // Behind what waits, so that a caller who releases an event gets the others first.
  release: {
    text: change("update outstanding_deliveries set next_attempt_at = now(), attempted_at = null", IS_LEASED),
  },
};

interface ChangedRow {
  id: string;
  attempts: number;
  attempted_at: Date | null;
  fetched_by: string | null;
}

// A separate statement, because on a cluster, what an insert reads is sent to every node.
const log = {
  text: `insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, total_ms, fetched_by)
    select $1, att, id, attempts, false, coalesce(attempted_at, now()),
      extract(epoch from now() - coalesce(attempted_at, now())) * 1000, by
    from json_to_recordset($2) as gone (att text, id text, attempts int, attempted_at timestamptz, by text)`,
};

/** Acknowledges, extends or releases deliveries of an endpoint. Returns the ids of the changed deliveries. */
export async function changeEvents(
  em: EntityManager,
  { shopId, id, actorId }: EndpointCaller,
  what: keyof typeof changes,
  [ids, ...values]: [ids: readonly string[], leaseSeconds?: number],
): Promise<Set<string>> {
  const rows = await query<ChangedRow>(kysely(em), changes[what], [shopId, id, ids, ...values]);
  if (what === "acknowledge" && rows.length > 0) {
    // Who received it, or if it is on no lease of this release, who acknowledges it.
    const by = ({ attempted_at: at, fetched_by: caller }: ChangedRow) => (at && caller) ?? actorId;
    const logged = rows.map((row) => ({ ...row, by: by(row), att: newId("att") }));
    await query(kysely(em), log, [shopId, JSON.stringify(logged)]);
  }
  return new Set(rows.map((row) => row.id));
}
