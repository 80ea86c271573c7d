// Text, since two statements write an event, its deliveries and their jobs for any number of endpoints, and a function
// of graphile-worker adds the jobs.
import { traced, traceParent } from "../../../platform/telemetry/tracing.ts";
import type { Operation, ShopKey } from "../../access/operation.ts";
import { newId } from "../../model/ids.ts";
import { hasApiAccess } from "../../model/shops/current-shop.ts";
import { ErrorClass, undeliverableError, type undeliverableErrors } from "../../model/webhooks/error-class.ts";
import { topicField, type ChangedField, type Topic, type TopicData } from "../../model/webhooks/topics.ts";
import { kysely, query } from "../../queries/database.ts";
import { addSendJobs, announceArrivals } from "../jobs/send-jobs.sql.ts";

interface EventToRecord<Name extends Topic> {
  topic: Name;
  data: TopicData<Name>;
  createdAt: Date;
  /** The fields that the change touched. An event with none is delivered to all endpoints. */
  changed?: readonly ChangedField<Name>[];
}

/** Due deliveries above which an endpoint is busy. */
export const BUSY = 100;

/**
 * SQL: true when the endpoint has many due deliveries. Their jobs wait or run, and a run that has sent so many looks
 * again once this transaction has ended, so another job would tell it nothing new. A hundred thousand would delay others.
 *
 * Not for a suspended endpoint, whose deliveries wait for a probe. Not on a cluster, whose coordinator does not know which
 * transactions of its nodes have ended.
 */
const IS_BUSY = `(
  select count(*) > ${BUSY} from (
    -- In the order of the index on due deliveries: with another index, PostgreSQL might read everything outstanding.
    select from outstanding_deliveries
    where shop_id = $1 and outstanding_deliveries.endpoint_id = endpoint.id
      and status = 'PENDING' and next_attempt_at <= now() and probe_at is null
    order by next_attempt_at limit ${BUSY + 1}
  ) due
  where current_setting('citus.shard_count', true) is null
)`;

/** SQL: the conditions on which an endpoint gets an event, by the reasons to leave it out. */
export const wants = ({ topic, actorId, fields }: Record<"topic" | "actorId" | "fields", string>) => ({
  NOT_SUBSCRIBED: `${topic} = any(topics)`,
  OTHER_FIELDS: `(coalesce(fields && ${fields}, true)
    or not exists (select from unnest(fields) field where starts_with(field, ${topic} || '.')))`,
  IGNORED_ACTOR: `coalesce(${actorId} <> all(ignored_actor_ids), true)`,
});

const insert = {
  name: "insert event",
  text: `with event as (
      insert into events (shop_id, id, topic, body, created_at, trace_parent, changed, actor_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
    )
    select endpoint.id as endpoint_id, case
        when disabled_at is not null then '${ErrorClass.ENDPOINT_DISABLED}'
        when not ${hasApiAccess} then '${ErrorClass.PLAN}' end as error_class,
      not (paused or ${IS_BUSY}) as needs_job, pull_paused is false as is_pulled
    from webhook_endpoints endpoint join shops on shops.id = $1
    where endpoint.shop_id = $1 and ${Object.values(wants({ topic: "$3", actorId: "$8", fields: "$9" })).join(" and ")}
    -- No delivery to an endpoint that was just deleted.
    for key share of endpoint`,
};

/** A subscribed endpoint that leaves out neither the fields nor the actor. */
interface Subscriber {
  endpoint_id: string;
  /** Why its delivery fails without an attempt. */
  error_class: keyof typeof undeliverableErrors | null;
  /** False while it is busy or paused, and for a pull endpoint. */
  needs_job: boolean;
  /** True for a pull endpoint that is not paused. */
  is_pulled: boolean;
}

/** SQL: the subscribers, from JSON. A separate statement, because on a cluster, what an insert reads is sent to every node. */
const SUBSCRIBERS = `json_to_recordset($5) as subscriber (id text, endpoint_id text, error_class text, needs_job boolean)`;

const deliver = {
  name: "insert deliveries",
  isPipelined: true,
  text: `with delivery as (
      insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
      select $1, id, $2, endpoint_id, $4, $3 from ${SUBSCRIBERS}
    ), outstanding as (
      insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, created_at, attempts,
        status, next_attempt_at, error_class, error)
      select $1, id, $2, endpoint_id, $4, $3, 0,
        case when error_class is null then 'PENDING' else 'FAILED' end,
        case when error_class is null then $3::timestamptz end, error_class, ${undeliverableError("error_class")}
      from ${SUBSCRIBERS}
    )
    ${addSendJobs(
      "$1",
      `(select *, null::timestamptz as run_at, 0 as priority from ${SUBSCRIBERS} where error_class is null and needs_job) idle`,
      "$6",
    )}`,
};

/**
 * Records an event in the transaction of its change, with a delivery for each endpoint that wants it and a job for each
 * that is sent now. The body is serialized once, and these bytes are signed and sent. Deliveries to paused and pull
 * endpoints wait. Deliveries to a disabled endpoint, and all deliveries of a shop whose plan does not include the API,
 * fail immediately and can be replayed. Records nothing for a silent operation.
 */
export async function recordEvent<Name extends Topic>(
  operation: Operation<ShopKey>,
  event: EventToRecord<Name>,
): Promise<void> {
  if (operation.isSilent) return;
  const id = newId("evt");
  const attributes = { "messaging.message.id": id, "merchant_api.shop.id": operation.shop.id };
  // The parent of its jobs and attempts.
  await traced(
    () => ({ name: `record ${event.topic}`, kind: "PRODUCER", attributes }),
    () => writeEvent(operation, id, event),
  );
}

async function writeEvent<Name extends Topic>(
  { em, shop, actor, recorded }: Operation<ShopKey>,
  id: string,
  event: EventToRecord<Name>,
): Promise<void> {
  const { topic, createdAt } = event;
  const shopId = shop.id;
  const trace = traceParent();
  const database = kysely(em);
  const body = serializeEvent(id, { shopId, ...event });
  recorded?.push({ topic, body });
  const changed = event.changed?.length ? event.changed : undefined;
  const asked = changed?.map((field) => topicField(topic, field));
  const values = [shopId, id, topic, body, createdAt, trace, changed, actor.id, asked];
  const subscribers = await query<Subscriber>(database, insert, values);
  if (subscribers.length === 0) return;
  const rows = subscribers.map((subscriber) => ({ ...subscriber, id: newId("whd") }));
  await query(database, deliver, [shopId, id, createdAt, topic, JSON.stringify(rows), trace]);
  const pulled = subscribers.flatMap((subscriber) => (subscriber.is_pulled ? subscriber.endpoint_id : []));
  await announceArrivals(em, pulled);
}

/** The body of an event with the specification's five fields. */
export function serializeEvent<Name extends Topic>(
  id: string,
  { topic, shopId, createdAt, data }: EventToRecord<Name> & { shopId: string },
): string {
  return JSON.stringify({ id, topic, shopId, createdAt: createdAt.toISOString(), data });
}
