import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { newId } from "../../platform/ids.ts";
import { projections } from "../database.ts";
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
 */
export async function recordEvent<Name extends Topic>(em: EntityManager, event: EventToRecord<Name>): Promise<void> {
  const { shopId, topic, createdAt } = event;
  const id = newId("evt");
  const body = JSON.stringify({ id, topic, shopId, createdAt: createdAt.toISOString(), data: event.data });
  const database = projections(em);
  const inserted = await sql<{ subscribers: string[] }>`
    insert into events (shop_id, id, topic, body, created_at) values (${shopId}, ${id}, ${topic}, ${body}, ${createdAt})
    returning array(
      select id from webhook_endpoints where shop_id = ${shopId} and ${topic} = any(topics)
    ) as subscribers`.execute(database);
  const { subscribers } = inserted.rows[0]!;
  if (subscribers.length === 0) return;
  await sql`
    with created as (
      insert into deliveries (shop_id, id, event_id, endpoint_id, status, attempts, created_at, next_attempt_at)
      select ${shopId}, id, ${id}, endpoint_id, 'PENDING', 0, ${createdAt}, ${createdAt}
      from unnest(${subscribers.map(() => newId("whd"))}::text[], ${subscribers}::text[]) as pairs (id, endpoint_id)
      returning shop_id, id
    )
    select graphile_worker.add_job('deliver-webhook', json_build_object('shopId', shop_id, 'deliveryId', id))
    from created`.execute(database);
}
