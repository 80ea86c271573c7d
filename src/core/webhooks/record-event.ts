import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../platform/ids.ts";
import { projections, runStatement } from "../database.ts";
import { ENDPOINT_DISABLED_ERROR, ErrorClass } from "./error-class.ts";
import type { Topic, TopicData } from "./topics.ts";
import { addWakeUp } from "./wake-endpoints.ts";

export interface EventToRecord<Name extends Topic> {
  shopId: string;
  topic: Name;
  data: TopicData<Name>;
  createdAt: Date;
}

/**
 * Records an event in the transaction of the change that it tells of, with a delivery for each endpoint that
 * subscribes to the topic, and a job that wakes a worker for them. The body is made here, once: these bytes are
 * what is signed and sent. What a paused endpoint is to hear waits until it is not; what one that is disabled is to
 * hear has failed, and can be replayed.
 */
export async function recordEvent<Name extends Topic>(em: EntityManager, event: EventToRecord<Name>): Promise<void> {
  const { shopId, topic, createdAt } = event;
  const id = newId("evt");
  const database = projections(em);
  const [inserted] = await runStatement<{ subscribers: string[] }>(
    database,
    `insert into events (shop_id, id, topic, body, created_at) values ($1, $2, $3, $4, $5)
    returning array(select id from webhook_endpoints where shop_id = $1 and $3 = any(topics)) as subscribers`,
    [shopId, id, topic, serializeEvent(id, event), createdAt],
  );
  const { subscribers } = inserted!;
  if (subscribers.length === 0) return;
  await runStatement(
    database,
    `with subscriber as materialized (
      select subscriber.id, endpoint.id as endpoint_id, disabled_at is not null as is_disabled
      from unnest($4::text[], $5::text[]) as subscriber (id, endpoint_id)
      join webhook_endpoints endpoint on endpoint.shop_id = $1 and endpoint.id = endpoint_id
      -- Nothing for one that was deleted just now.
      for key share of endpoint
    ), delivery as (
      insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
      select $1, id, $2, endpoint_id, $8, $3 from subscriber
    ), outstanding as (
      insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, created_at, attempts,
        status, next_attempt_at, error_class, error)
      select $1, id, $2, endpoint_id, $8, $3, 0,
        case when is_disabled then 'FAILED' else 'PENDING' end, case when not is_disabled then $3::timestamptz end,
        case when is_disabled then $6::text end, case when is_disabled then $7::text end
      from subscriber
    )
    select ${addWakeUp("$1", "ids")} from (
      select array_agg(endpoint_id) as ids from subscriber where not is_disabled
    ) awake where ids is not null`,
    [
      shopId,
      id,
      createdAt,
      subscribers.map(() => newId("whd")),
      subscribers,
      ErrorClass.ENDPOINT_DISABLED,
      ENDPOINT_DISABLED_ERROR,
      topic,
    ],
  );
}

/** The bytes of an event: the specification's five fields. */
export function serializeEvent<Name extends Topic>(
  id: string,
  { topic, shopId, createdAt, data }: EventToRecord<Name>,
): string {
  return JSON.stringify({ id, topic, shopId, createdAt: createdAt.toISOString(), data });
}
