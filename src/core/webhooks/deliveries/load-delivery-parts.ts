import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { selectList } from "../../queries/columns.ts";
import { runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import { fieldsOf, idIn, type FieldsKey, type RowKey } from "../../queries/row-key.ts";
import { MAX_ATTEMPTS_SHOWN, type DeliveryAttempt, type WebhookHeader } from "./delivery-attempt.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import type { LoggedHeader } from "../../model/webhooks/delivery-attempt.entity.ts";
import type { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { listWebhookEndpoints, type ListedWebhookEndpoint } from "../endpoints/list-webhook-endpoints.ts";

const attemptColumns = {
  id: "id",
  startedAt: "started_at",
  isProbe: "is_probe",
  responseStatus: "response_status",
  errorClass: "error_class",
  error: "error",
  responseBody: "response_body",
  // With what tells the others.
  requestHeaders: `(
    select json_build_object('eventId', event_id, 'topic', topic, 'isTest', is_test, 'logged', request_headers)
    from deliveries where deliveries.shop_id = $1 and deliveries.id = delivery_id and request_headers is not null
  )`,
  responseHeaders: "response_headers",
  dnsMs: "dns_ms",
  connectMs: "connect_ms",
  tlsMs: "tls_ms",
  firstByteMs: "first_byte_ms",
  totalMs: "total_ms",
};

/** An attempt as it is logged, with its place among those that are asked for. */
interface LoggedAttempt extends Omit<DeliveryAttempt, "requestHeaders" | "responseHeaders"> {
  position: string;
  requestHeaders?: { eventId: string; topic: string; isTest: boolean; logged: LoggedHeader[] } | null;
  responseHeaders?: LoggedHeader[] | null;
}

/** The newest attempts of each delivery, oldest first. All deliveries are of one shop. */
export async function loadDeliveryAttempts(
  database: Kysely<Database>,
  deliveries: readonly FieldsKey[],
): Promise<DeliveryAttempt[][]> {
  const rows = await runStatement<LoggedAttempt>(
    database,
    `select asked.position, attempt.* from unnest($2::text[]) with ordinality as asked (delivery, position)
    cross join lateral (
      select ${selectList(attemptColumns, fieldsOf(deliveries), ["id", "startedAt"])}
      from delivery_attempts where shop_id = $1 and delivery_id = asked.delivery
      order by started_at desc, id desc limit ${MAX_ATTEMPTS_SHOWN}
    ) attempt order by asked.position, attempt."startedAt", attempt.id`,
    [deliveries[0]!.shopId, deliveries.map(({ id }) => id)],
  );
  const byPosition = Map.groupBy(rows, ({ position }) => Number(position) - 1);
  return deliveries.map((_, index) => (byPosition.get(index) ?? []).map(showAttempt));
}

function showAttempt({ requestHeaders, responseHeaders, ...attempt }: LoggedAttempt): DeliveryAttempt {
  return {
    ...attempt,
    requestHeaders: requestHeaders
      ? showHeaders([...Object.entries(deliveryHeaders(requestHeaders, attempt.startedAt)), ...requestHeaders.logged])
      : null,
    responseHeaders: responseHeaders ? showHeaders(responseHeaders) : null,
  };
}

function showHeaders(headers: readonly LoggedHeader[]): WebhookHeader[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** The endpoints by their keys, all of one shop; null for one that was deleted. */
export async function loadDeliveryEndpoints(
  _database: Kysely<Database>,
  endpoints: readonly FieldsKey[],
  em: EntityManager,
): Promise<(ListedWebhookEndpoint | null)[]> {
  const rows = await listWebhookEndpoints(em, endpoints[0]!.shopId, fieldsOf(endpoints));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return endpoints.map(({ id }) => byId.get(id) ?? null);
}

/** The deleted endpoints by their keys, all of one shop; null for one that was not deleted. */
export async function loadDeletedEndpoints(
  database: Kysely<Database>,
  endpoints: readonly RowKey[],
): Promise<(DeletedWebhookEndpoint | null)[]> {
  const rows = await database
    .selectFrom("deleted_webhook_endpoints")
    .select(["shop_id as shopId", "id", "url", "deleted_at as deletedAt"])
    .where("shop_id", "=", endpoints[0]!.shopId)
    .where("id", "=", idIn(endpoints))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return endpoints.map(({ id }) => byId.get(id) ?? null);
}
