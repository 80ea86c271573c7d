import type { EntityManager } from "@mikro-orm/postgresql";
import { expressionBuilder, sql, type Expression, type RawBuilder, type SqlBool } from "kysely";
import { ArgsType, ID } from "type-graphql";
import { requireItems } from "../../validation/bulk.ts";
import { argumentsOf, nullable } from "../../model/fields.ts";
import { pageArguments, type Page } from "../../model/page.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import type { Database } from "../../model/tables.ts";
import { ErrorClass } from "../../model/webhooks/error-class.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import {
  selectFields,
  conditionsOf,
  anyOf,
  jsonRow,
  shopParameter,
  type Columns,
  type Select,
  type Shown,
} from "../../queries/columns.ts";
import { answerOf, finderOf, findersOf } from "../../queries/find-by-id.ts";
import { readPage } from "../../queries/list.ts";
import { Selection } from "../../queries/selection.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { endpointFields, findWebhookEndpoint } from "../health/read-endpoints.ts";
import type { OwnKey } from "../endpoints/read-webhook-endpoints.ts";
import { attemptsOf } from "./delivery-attempts.ts";
import { suspendedTopics } from "../health/endpoint-health.ts";
import { deliverySource } from "./delivery-candidates.sql.ts";
import { DeliveryWait, type WebhookDelivery } from "./webhook-delivery.ts";

const { ref, selectFrom } = expressionBuilder<Database, "delivery_states">();

function ofEndpoint<Value>(value: RawBuilder<Value>): Expression<Value> {
  return sql`${selectFrom("webhook_endpoints as endpoint")
    .select(value.as("value"))
    .where("endpoint.shop_id", "=", shopParameter)
    .whereRef("endpoint.id", "=", "delivery_states.endpoint_id")}`;
}

// Nothing is rescheduled when an endpoint is paused or suspended: its deliveries keep a `next_attempt_at` that passes.
const nextAttemptAt = ofEndpoint(sql<Date | null>`case
  when is_test and pull_paused is null or next_attempt_at is null then next_attempt_at
  when not paused and disabled_at is null then greatest(next_attempt_at, case when topic = any(${sql.raw(suspendedTopics)}) then probe_at end)
end`);

const waitsFor = ofEndpoint(sql<DeliveryWait | null>`case
  when delivery_states.status <> 'PENDING' then null
  when is_test and pull_paused is null then ${sql.lit(DeliveryWait.SCHEDULE)}
  when disabled_at is not null then null
  when pull_paused is false then ${sql.lit(DeliveryWait.RECEIVER)}
  when paused then ${sql.lit(DeliveryWait.PAUSED_ENDPOINT)}
  when probe_at is not null and topic = any(${sql.raw(suspendedTopics)}) then ${sql.lit(DeliveryWait.SUSPENDED_ENDPOINT)}
  else ${sql.lit(DeliveryWait.SCHEDULE)}
end`);

function ofEvent<Value>(column: "body" | "changed" | "actor_id"): Expression<Value> {
  return sql`${selectFrom("events")
    .select(column)
    .where("events.shop_id", "=", shopParameter)
    .whereRef("events.id", "=", "event_id")}`;
}

/** SQL: a value of the attempt that succeeded or the event that was acknowledged, or of the outstanding delivery. */
function ofLastAttempt<Value>(logged: string, outstanding: string): Expression<Value> {
  const success = selectFrom("delivery_attempts")
    .select(sql.raw(logged).as("value"))
    .where("shop_id", "=", shopParameter)
    .whereRef("delivery_id", "=", "delivery_states.id")
    .where(sql<SqlBool>`delivery_attempts.error_class is null`)
    .orderBy("delivery_attempts.id", "desc")
    .limit(sql.lit(1));
  return sql<Value>`case
    when delivery_states.status = ${sql.lit(DeliveryStatus.SUCCEEDED)} then ${success}
    else ${sql.raw(outstanding)} end`;
}

const FETCHED_BY = `(select fetched_by from outstanding_deliveries outstanding
  where shop_id = $1 and outstanding.id = delivery_states.id and attempted_at is not null)`;
const ACKNOWLEDGED_AT = "case when fetched_by is not null then started_at + total_ms * interval '1 millisecond' end";

const columns: Columns<Omit<WebhookDelivery, "endpoint" | "deletedEndpoint" | "attempts">> = {
  shopId: ref("shop_id"),
  id: ref("id"),
  endpointId: ref("endpoint_id"),
  eventId: ref("event_id"),
  topic: ref("topic"),
  body: ofEvent("body"),
  changed: ofEvent("changed"),
  actorId: ofEvent("actor_id"),
  isTest: ref("is_test"),
  status: ref("status"),
  // Releases before 1.2.0 logged no acknowledged event.
  attemptCount: sql<number>`coalesce(${ofLastAttempt("delivery_attempts.number", "attempts")}, 0)`,
  createdAt: ref("created_at"),
  lastAttemptAt: ofLastAttempt("delivery_attempts.started_at", "attempted_at"),
  nextAttemptAt,
  waitsFor,
  responseStatus: ofLastAttempt("delivery_attempts.response_status", "delivery_states.response_status"),
  errorClass: sql.ref<ErrorClass | null>("error_class"),
  error: ref("error"),
  fetchedBy: ofLastAttempt("fetched_by", FETCHED_BY),
  acknowledgedAt: ofLastAttempt(ACKNOWLEDGED_AT, "null"),
};

/** A delivery with the selected fields. */
export type ShownDelivery = Shown<WebhookDelivery, (typeof always)[number]>;
const always = ["shopId", "id", "endpointId"] as const;

function selectDelivery(em: EntityManager, selection: Selection): Select<ShownDelivery> {
  const on = "id = delivery_states.endpoint_id";
  const related = {
    endpoint: jsonRow(em, WebhookEndpoint, { on, ...endpointFields(selection.at("endpoint")) }),
    deletedEndpoint: jsonRow(em, DeletedWebhookEndpoint, { on }),
    attempts: attemptsOf(em, "delivery_states.id", selection.at("attempts")),
  } as Columns<WebhookDelivery>;
  const fields = new Set(selection.fields);
  if (fields.has("actorName")) fields.add("actorId");
  if (fields.has("fetchedByName")) fields.add("fetchedBy");
  return selectFields<WebhookDelivery, (typeof always)[number]>({ ...columns, ...related }, { fields }, always);
}

@ArgsType()
export class ListDeliveriesArgs extends argumentsOf({
  ...pageArguments,
  endpointId: nullable(ID, "Only deliveries to this endpoint, which may have been deleted."),
  eventId: nullable(ID, "Only deliveries of this event, one for each endpoint."),
  topic: nullable(String, "Only deliveries of this topic, such as order.paid."),
  statuses: nullable([DeliveryStatus], "Only deliveries with these statuses. At least one."),
  errorClass: nullable(
    ErrorClass,
    "Only deliveries that last failed with this error class and have not succeeded since.",
  ),
  createdSince: nullable(TimestampScalar, "Only deliveries of events at or after this time."),
  createdBefore: nullable(TimestampScalar, "Only deliveries of events before this time."),
}) {}

/**
 * Lists a shop's deliveries, newest first by default, or those to endpoints of a service token.
 *
 * @throws AppError VALIDATION_FAILED
 */
export async function listDeliveries(
  em: EntityManager,
  shopId: string,
  filter: ListDeliveriesArgs & Pick<OwnKey, "owner">,
  selection: Selection,
): Promise<Page<ShownDelivery>> {
  const { owner: _, endpointId, eventId, topic, statuses, errorClass, createdSince, createdBefore, ...page } = filter;
  if (statuses) requireItems("statuses", statuses);
  const conditions = conditionsOf<"delivery_states">(
    ["endpoint_id", "=", endpointId],
    ["event_id", "=", eventId],
    ["topic", "=", topic],
    // Elsewhere each status is a separate part.
    ["status", "=", eventId == null || !statuses ? null : anyOf(statuses)],
    ["error_class", "=", errorClass],
    ["created_at", ">=", createdSince],
    ["created_at", "<", createdBefore],
  );
  return readPage(em, {
    ...page,
    shopId,
    table: "delivery_states",
    select: selectDelivery,
    selection,
    conditions,
    texts: { endpointId, eventId, topic },
    total: "counted",
    source: deliverySource(shopId, filter),
  });
}

const findDelivery = finderOf("delivery_states", selectDelivery);
const owned = Selection.of("id");

/** Finds a delivery. Undefined when there is none with this id to an endpoint of the shop, or of `owner`. */
export async function findVisibleDelivery(
  em: EntityManager,
  shopId: string,
  { id, owner }: Omit<OwnKey, "shopId">,
  selection: Selection,
): Promise<ShownDelivery | undefined> {
  const delivery = await findDelivery(em, shopId, id, selection);
  if (!delivery || owner === undefined) return delivery;
  const endpoint = await findWebhookEndpoint(em, shopId, delivery.endpointId, owned);
  return endpoint?.serviceTokenId === owner ? delivery : undefined;
}

export const findDeliveries = findersOf("delivery_states", selectDelivery);
export const answerDelivery = answerOf("Webhook delivery", findVisibleDelivery);
