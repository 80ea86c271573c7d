import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../platform/ids.ts";
import { projections, runStatement } from "../database.ts";
import type { Topic, TopicData } from "./topics.ts";

export interface EventToRecord<Name extends Topic> {
  shopId: string;
  topic: Name;
  data: TopicData<Name>;
  createdAt: Date;
}

/**
 * Records an event in the transaction of the change that it tells of, with a delivery for each endpoint that
 * subscribes to the topic, and a job that wakes a worker for them. The body is made here, once: these bytes are
 * what is signed and sent. What a paused endpoint is to hear waits until it is not.
 */
export async function recordEvent<Name extends Topic>(em: EntityManager, event: EventToRecord<Name>): Promise<void> {
  const { shopId, topic, createdAt } = event;
  const id = newId("evt");
  const body = JSON.stringify({ id, topic, shopId, createdAt: createdAt.toISOString(), data: event.data });
  const database = projections(em);
  const [inserted] = await runStatement<{ subscribers: string[] }>(
    database,
    `insert into events (shop_id, id, topic, body, created_at) values ($1, $2, $3, $4, $5)
    returning array(select id from webhook_endpoints where shop_id = $1 and $3 = any(topics)) as subscribers`,
    [shopId, id, topic, body, createdAt],
  );
  const { subscribers } = inserted!;
  if (subscribers.length === 0) return;
  await runStatement(
    database,
    `with created as (
      insert into deliveries (shop_id, id, event_id, endpoint_id, status, attempts, created_at, next_attempt_at)
      select $1, id, $2, endpoint_id, 'PENDING', 0, $3, $3
      from unnest($4::text[], $5::text[]) as subscribers (id, endpoint_id)
    )
    select graphile_worker.add_job('wake-endpoints', json_build_object('shopId', $1::text, 'endpointIds', $5::text[]))`,
    [shopId, id, createdAt, subscribers.map(() => newId("whd")), subscribers],
  );
}
