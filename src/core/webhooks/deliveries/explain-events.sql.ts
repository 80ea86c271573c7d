// Text, since it shares the conditions of the statement that records an event, and searches only the newest events.
import type { EntityManager } from "@mikro-orm/postgresql";
import { Field, ObjectType } from "type-graphql";
import { enumType } from "../../model/enum-type.ts";
import { invalidInput } from "../../model/errors.ts";
import { extensionOf, field, nullable } from "../../model/fields.ts";
import { isId } from "../../model/ids.ts";
import { orOwn, Permission, ReadableWith } from "../../model/permissions.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { EventChange } from "../../model/webhooks/event.entity.ts";
import { kysely, query } from "../../queries/database.ts";
import type { RowKey } from "../../queries/row-key.ts";
import type { Selection } from "../../queries/selection.ts";
import { wants } from "../events/record-event.sql.ts";
import { findDeliveries, type ShownDelivery } from "./read-deliveries.ts";
import { WebhookDelivery } from "./webhook-delivery.ts";

export const MAX_SEARCHED = 100_000;
export const MAX_EXPLAINED = 50;

const LeftOutReason = enumType("WebhookLeftOutReason", "Why an endpoint has no delivery of an event.", {
  ADDED_LATER: "The endpoint was added after the event.",
  NOT_SUBSCRIBED: "The endpoint does not subscribe to the topic.",
  OTHER_FIELDS: "The event changed none of the fields that the endpoint asks for.",
  IGNORED_ACTOR: "The endpoint leaves out changes by the actor.",
  OTHER_SETTINGS: "The endpoint had other settings at the time of the event.",
});

@ReadableWith(orOwn(Permission.READ_LOGS))
@ObjectType("WebhookExplainedEvent", {
  description: "An event, and why an endpoint has no delivery of it.",
  simpleResolvers: true,
})
export class ExplainedEvent extends extensionOf(EventChange, {
  topic: field(String, "The topic of the event."),
  createdAt: field(TimestampScalar, "When the event occurred."),
  reason: nullable(
    LeftOutReason,
    "Why the endpoint has no delivery of it, by its settings of today. Null if it has one.",
  ),
}) {
  @Field(() => WebhookDelivery, { nullable: true, description: "The delivery. Null if the event was left out." })
  delivery!: ShownDelivery | null;
}

const conditions = wants({
  topic: "event.topic",
  actorId: "event.actor_id",
  fields: "case when changed is not null then array(select event.topic || '.' || name from unnest(changed) name) end",
});
const reasons = Object.entries(conditions).map(([reason, condition]) => `when not ${condition} then '${reason}'`);

const text = `
  select $1 as "shopId", event.id, event.topic, event.created_at as "createdAt", changed, actor_id as "actorId", "deliveryId",
    case when "deliveryId" is not null then null when event.created_at < endpoint.created_at then 'ADDED_LATER'
      ${reasons.join(" ")} else 'OTHER_SETTINGS' end as reason
  from (
    select * from (select * from events where shop_id = $1 order by id desc limit ${MAX_SEARCHED}) newest
    where strpos(body, $3) > 0 limit ${MAX_EXPLAINED}
  ) event
  join webhook_endpoints endpoint on endpoint.shop_id = $1 and endpoint.id = $2
  left join lateral (
    select id as "deliveryId" from deliveries
    where deliveries.shop_id = $1 and event_id = event.id and endpoint_id = endpoint.id offset 0
  ) delivery on true
  order by event.id desc`;

/**
 * Explains whether an endpoint gets the newest events of an order, a product or a customer.
 *
 * @throws AppError VALIDATION_FAILED
 */
export async function explainEvents(
  em: EntityManager,
  { shopId, id }: RowKey,
  recordId: string,
  selection: Selection,
): Promise<ExplainedEvent[]> {
  if (!isId(recordId) || !/^(?:ord|prod|cus)_/.test(recordId)) {
    const message = "Must be the ID of an order, a product or a customer";
    throw invalidInput([{ path: "recordId", code: "invalid_value", message }]);
  }
  const values = [shopId, id, `"${recordId}"`];
  const rows = await query<ExplainedEvent & { deliveryId: string | null }>(kysely(em), { text }, values);
  const ids = rows.flatMap(({ deliveryId }) => deliveryId ?? []);
  const deliveries = await findDeliveries(em, shopId, ids, selection.at("delivery"));
  return rows.map((row) => ({ ...row, delivery: deliveries.get(row.deliveryId ?? "") ?? null }));
}
