import { expressionBuilder, sql, type Expression, type Kysely, type RawBuilder, type SqlBool } from "kysely";
import { findById } from "../../queries/find-by-id.ts";
import { selectFields, shopParameter, type Columns, type Select, type Shown } from "../../queries/columns.ts";
import type { Selection } from "../../queries/selection.ts";
import type { Database } from "../../model/tables.ts";
import type { ErrorClass } from "../../model/webhooks/error-class.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { DeliveryWait, type WebhookDelivery } from "./webhook-delivery.ts";

const { ref, selectFrom } = expressionBuilder<Database, "delivery_states">();

function ofEndpoint<Value>(value: RawBuilder<Value>): Expression<Value> {
  return sql`${selectFrom("webhook_endpoints as endpoint")
    .select(value.as("value"))
    .where("endpoint.shop_id", "=", shopParameter)
    .whereRef("endpoint.id", "=", "delivery_states.endpoint_id")}`;
}

// Nothing is rescheduled when an endpoint is paused or suspended: its deliveries keep a `next_attempt_at` in the past.
const nextAttemptAt = ofEndpoint(sql<Date | null>`case
  when is_test or next_attempt_at is null then next_attempt_at
  when not paused and disabled_at is null then greatest(next_attempt_at, probe_at)
end`);

const waitsFor = ofEndpoint(sql<DeliveryWait | null>`case
  when delivery_states.status <> 'PENDING' then null
  when is_test then ${sql.lit(DeliveryWait.SCHEDULE)}
  when disabled_at is not null then null
  when paused then ${sql.lit(DeliveryWait.PAUSED_ENDPOINT)}
  when probe_at is not null then ${sql.lit(DeliveryWait.SUSPENDED_ENDPOINT)}
  else ${sql.lit(DeliveryWait.SCHEDULE)}
end`);

const body = sql<string>`${selectFrom("events")
  .select("body")
  .where("events.shop_id", "=", shopParameter)
  .whereRef("events.id", "=", "event_id")}`;

/** A value of the attempt that succeeded, or of the outstanding delivery. */
function ofLastAttempt<Value>(logged: string, outstanding: string): Expression<Value> {
  const success = selectFrom("delivery_attempts")
    .select(sql.ref(logged).as("value"))
    .where("shop_id", "=", shopParameter)
    .whereRef("delivery_id", "=", "delivery_states.id")
    .where(sql<SqlBool>`delivery_attempts.error_class is null`)
    .orderBy("delivery_attempts.id", "desc")
    .limit(sql.lit(1));
  return sql<Value>`case
    when delivery_states.status = ${sql.lit(DeliveryStatus.SUCCEEDED)} then ${success}
    else ${sql.ref(outstanding)} end`;
}

const columns: Columns<WebhookDelivery> = {
  shopId: ref("shop_id"),
  id: ref("id"),
  endpointId: ref("endpoint_id"),
  eventId: ref("event_id"),
  topic: ref("topic"),
  body,
  isTest: ref("is_test"),
  status: ref("status"),
  attemptCount: ofLastAttempt("delivery_attempts.number", "attempts"),
  createdAt: ref("created_at"),
  lastAttemptAt: ofLastAttempt("delivery_attempts.started_at", "attempted_at"),
  nextAttemptAt,
  waitsFor,
  responseStatus: ofLastAttempt("delivery_attempts.response_status", "delivery_states.response_status"),
  errorClass: sql.ref<ErrorClass | null>("error_class"),
  error: ref("error"),
};

/** A delivery with the selected fields. */
export type ShownDelivery = Shown<WebhookDelivery, "shopId" | "id" | "endpointId">;

export function selectDelivery(selection: Selection): Select<ShownDelivery> {
  return selectFields(columns, selection, ["shopId", "id", "endpointId"]);
}

/** Finds a delivery. Undefined when this shop has none with this id. */
export async function findDelivery(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  selection: Selection,
): Promise<ShownDelivery | undefined> {
  return findById(database, "delivery_states", { shopId, id }, selection.name, () => selectDelivery(selection));
}
