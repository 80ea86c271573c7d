import type { Kysely } from "kysely";
import { isId } from "../../model/ids.ts";
import { selectList } from "../../queries/columns.ts";
import { runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import { DeliveryWait, type WebhookDelivery } from "./webhook-delivery.ts";

const ofEndpoint = (value: string) => `(
  select ${value} from webhook_endpoints endpoint
  where endpoint.shop_id = delivery_states.shop_id and endpoint.id = delivery_states.endpoint_id)`;

// Nothing is rescheduled when an endpoint is paused or suspended: its deliveries keep a `next_attempt_at` that passes.
const nextAttemptAt = ofEndpoint(`case
  when is_test or next_attempt_at is null then next_attempt_at
  when not paused and disabled_at is null then greatest(next_attempt_at, probe_at)
end`);

const waitsFor = ofEndpoint(`case
  when delivery_states.status <> 'PENDING' then null
  when is_test then '${DeliveryWait.SCHEDULE}'
  when disabled_at is not null then null
  when paused then '${DeliveryWait.PAUSED_ENDPOINT}'
  when probe_at is not null then '${DeliveryWait.SUSPENDED_ENDPOINT}'
  else '${DeliveryWait.SCHEDULE}'
end`);

const columns = {
  shopId: "shop_id",
  id: "id",
  endpointId: "endpoint_id",
  eventId: "event_id",
  topic: "topic",
  body: "(select body from events where events.shop_id = delivery_states.shop_id and events.id = event_id)",
  isTest: "is_test",
  status: "status",
  attemptCount: "attempts",
  createdAt: "created_at",
  lastAttemptAt: "attempted_at",
  nextAttemptAt,
  waitsFor,
  responseStatus: "response_status",
  errorClass: "error_class",
  error: "error",
};

export const deliveryColumns = (fields: ReadonlySet<string>) =>
  selectList(columns, fields, ["shopId", "id", "endpointId"]);

/** The delivery, or undefined when this shop has none with this id. */
export async function findDelivery(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<WebhookDelivery | undefined> {
  if (!isId(id)) return undefined;
  const statement = `select ${deliveryColumns(fields)} from delivery_states where shop_id = $1 and id = $2`;
  const [delivery] = await runStatement<WebhookDelivery>(database, statement, [shopId, id]);
  return delivery;
}
