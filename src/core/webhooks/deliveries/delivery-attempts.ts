import type { EntityManager } from "@mikro-orm/postgresql";
import { expressionBuilder, sql, type Kysely, type SqlBool } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";
import type { Database } from "../../model/tables.ts";
import type { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import type { LoggedHeader } from "../../model/webhooks/delivery-attempt.entity.ts";
import { ErrorClass } from "../../model/webhooks/error-class.ts";
import { selectFields, type Columns, type Shown } from "../../queries/columns.ts";
import { requestedRows, fieldsOf, groupByRequest, idIn, type FieldsKey, type RowKey } from "../../queries/row-key.ts";
import { listWebhookEndpoints, type ListedWebhookEndpoint } from "../endpoints/read-webhook-endpoints.ts";
import { deliveryHeaders } from "./delivery-headers.ts";

/** The maximum number of attempts shown for a delivery. */
export const MAX_ATTEMPTS_SHOWN = 50;

@ObjectType({ description: "A header of a request or a response.", simpleResolvers: true })
export class WebhookHeader {
  @Field(() => String, { description: "The name, in lowercase." })
  name!: string;

  @Field(() => String, { description: "The value. Secrets are shown as ***." })
  value!: string;
}

@ObjectType("WebhookDeliveryAttempt", {
  description: "An attempt to deliver an event, kept for 30 days. It succeeded if it has no error class.",
  simpleResolvers: true,
})
export class DeliveryAttempt {
  @Field(() => ID, { description: "The ID of the attempt, starting with att_." })
  id!: string;

  @Field(() => TimestampScalar, { description: "When the attempt started." })
  startedAt!: Date;

  @Field(() => Boolean, {
    description:
      "Whether this is a probe, which checks whether a suspended endpoint has recovered. A failed probe does not count.",
  })
  isProbe!: boolean;

  @Field(() => Int, { nullable: true, description: "The HTTP status of the response. Null if there was none." })
  responseStatus!: number | null;

  @Field(() => ErrorClass, { nullable: true, description: "The error class. Null if the attempt succeeded." })
  errorClass!: ErrorClass | null;

  @Field(() => String, { nullable: true, description: "The error message. Null if the attempt succeeded." })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    complexity: 4,
    description: "The first 4 KiB of the response body, not decompressed. Null if there was no response.",
  })
  responseBody!: string | null;

  @Field(() => [WebhookHeader], {
    nullable: true,
    description:
      "The headers that were sent, except Host, Connection and Content-Length. The values of custom headers are masked. Null if nothing was sent.",
  })
  requestHeaders!: WebhookHeader[] | null;

  @Field(() => [WebhookHeader], {
    nullable: true,
    description:
      "The response headers: the first 50 that fit into 8 KiB, with the first 1 KiB of each value. Values that may contain a secret, such as Set-Cookie, are masked. Null if there was no response.",
  })
  responseHeaders!: WebhookHeader[] | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "The time of the DNS lookup, in milliseconds. Null if the connection was already open, or if there was no lookup.",
  })
  dnsMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "The time to open the connection, in milliseconds. Null if it was already open, or if the attempt failed before.",
  })
  connectMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "The time of the TLS handshake, in milliseconds. Null if the connection was already open, or if there was no handshake.",
  })
  tlsMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "The time from the start of the attempt to the first byte of the response, in milliseconds. Null if there was no response.",
  })
  firstByteMs!: number | null;

  @Field(() => Float, { description: "The total time of the attempt, in milliseconds." })
  totalMs!: number;
}

const builder = expressionBuilder<Database, "delivery_attempts">();
const { ref } = builder;

/** A logged attempt, with its request headers. */
type AttemptRow = Omit<DeliveryAttempt, "requestHeaders" | "responseHeaders"> & {
  requestHeaders: { eventId: string; topic: string; isTest: boolean; logged: LoggedHeader[] } | null;
  responseHeaders: readonly LoggedHeader[] | null;
};

const requestHeaders = (shopId: string) =>
  builder
    .selectFrom("deliveries")
    .select(({ ref: column }) =>
      jsonBuildObject({
        eventId: column("event_id"),
        topic: column("topic"),
        isTest: column("is_test"),
        logged: sql<LoggedHeader[]>`request_headers`,
      }).as("headers"),
    )
    .where("deliveries.shop_id", "=", shopId)
    .whereRef("deliveries.id", "=", "delivery_id")
    .where(sql<SqlBool>`request_headers is not null`);

const columnsIn = (shopId: string): Columns<AttemptRow> => ({
  id: ref("id"),
  startedAt: ref("started_at"),
  isProbe: ref("is_probe"),
  responseStatus: ref("response_status"),
  errorClass: ref("error_class"),
  error: ref("error"),
  responseBody: ref("response_body"),
  requestHeaders: sql`${requestHeaders(shopId)}`,
  responseHeaders: ref("response_headers"),
  dnsMs: ref("dns_ms"),
  connectMs: ref("connect_ms"),
  tlsMs: ref("tls_ms"),
  firstByteMs: ref("first_byte_ms"),
  totalMs: ref("total_ms"),
});

export type ShownAttempt = Shown<DeliveryAttempt, "id" | "startedAt">;

/** Loads the newest attempts of deliveries of one shop, oldest first. */
export async function loadDeliveryAttempts(
  database: Kysely<Database>,
  deliveries: readonly FieldsKey[],
): Promise<ShownAttempt[][]> {
  const { shopId } = deliveries[0]!;
  const rows = await database
    .selectFrom(requestedRows(deliveries))
    .crossJoinLateral((query) =>
      query
        .selectFrom("delivery_attempts")
        .select(selectFields(columnsIn(shopId), { fields: fieldsOf(deliveries) }, ["id", "startedAt"]))
        .where("shop_id", "=", shopId)
        .whereRef("delivery_id", "=", "requested.id")
        .orderBy("started_at", "desc")
        .orderBy("id", "desc")
        .limit(MAX_ATTEMPTS_SHOWN)
        .as("attempt"),
    )
    .selectAll("attempt")
    .select("requested.position")
    .orderBy("attempt.startedAt")
    .orderBy("attempt.id")
    .execute();
  return groupByRequest(deliveries, rows).map((attempts) => attempts.map(showAttempt));
}

function showAttempt({
  requestHeaders: sent,
  responseHeaders,
  ...attempt
}: Shown<AttemptRow, "id" | "startedAt">): ShownAttempt {
  return {
    ...attempt,
    requestHeaders: sent
      ? showHeaders([...Object.entries(deliveryHeaders(sent, attempt.startedAt)), ...sent.logged])
      : null,
    responseHeaders: responseHeaders ? showHeaders(responseHeaders) : null,
  };
}

function showHeaders(headers: readonly LoggedHeader[]): WebhookHeader[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** Loads endpoints of one shop by their keys. Null for deleted ones. */
export async function loadDeliveryEndpoints(
  _database: Kysely<Database>,
  endpoints: readonly FieldsKey[],
  em: EntityManager,
): Promise<(ListedWebhookEndpoint | null)[]> {
  const rows = await listWebhookEndpoints(em, endpoints[0]!.shopId, fieldsOf(endpoints));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return endpoints.map(({ id }) => byId.get(id) ?? null);
}

/** Loads deleted endpoints of one shop by their keys. Null for existing ones. */
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
