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
 * Records an event in the transaction of the change that it tells of, with a delivery and a job for each
 * endpoint that subscribes to the topic. The body is made here, once: these bytes are what is signed and sent.
 * What a paused endpoint is to hear is parked: a pending delivery without a next attempt, and without a job.
 */
export async function recordEvent<Name extends Topic>(em: EntityManager, event: EventToRecord<Name>): Promise<void> {
  const { shopId, topic, createdAt } = event;
  const id = newId("evt");
  const body = JSON.stringify({ id, topic, shopId, createdAt: createdAt.toISOString(), data: event.data });
  const database = projections(em);
  const [inserted] = await runStatement<{ subscribers: { id: string; paused: boolean }[] | null }>(
    database,
    // The lock, which the deliveries' foreign key takes anyway, makes this and unpausing take turns: each
    // delivery gets its job from one of them.
    `insert into events (shop_id, id, topic, body, created_at) values ($1, $2, $3, $4, $5)
    returning (select json_agg(subscriber) from (
      select id, paused from webhook_endpoints where shop_id = $1 and $3 = any(topics) order by id for key share
    ) subscriber) as subscribers`,
    [shopId, id, topic, body, createdAt],
  );
  const { subscribers } = inserted!;
  if (!subscribers) return;
  await runStatement(
    database,
    `with created as (
      insert into deliveries (shop_id, id, event_id, endpoint_id, status, attempts, created_at, next_attempt_at)
      select $1, id, $2, endpoint_id, 'PENDING', 0, $3, case when paused then null else $3::timestamptz end
      from unnest($4::text[], $5::text[], $6::boolean[]) as subscribers (id, endpoint_id, paused)
      returning shop_id, id, next_attempt_at
    )
    select graphile_worker.add_job('deliver-webhook', json_build_object('shopId', shop_id, 'deliveryId', id))
    from created where next_attempt_at is not null`,
    [
      shopId,
      id,
      createdAt,
      subscribers.map(() => newId("whd")),
      subscribers.map((subscriber) => subscriber.id),
      subscribers.map(({ paused }) => paused),
    ],
  );
}
