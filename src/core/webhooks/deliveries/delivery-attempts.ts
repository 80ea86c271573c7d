import type { EntityManager } from "@mikro-orm/postgresql";
import { expressionBuilder, sql, type Kysely, type SqlBool } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { Database } from "../../model/tables.ts";
import { LoggedAttempt, type LoggedHeader, type WebhookHeader } from "../../model/webhooks/delivery-attempt.entity.ts";
import { columnsOf, selectFields, type Columns, type Shown } from "../../queries/columns.ts";
import { fieldsOf, groupByRequest, requestedRows, type FieldsKey } from "../../queries/row-key.ts";
import { deliveryHeaders, type DescribedEvent } from "./delivery-headers.ts";

/** The maximum number of attempts shown for a delivery. */
const MAX_ATTEMPTS_SHOWN = 50;

/** A logged attempt, with all of its request headers. */
interface AttemptRow extends Omit<LoggedAttempt, "requestHeaders"> {
  requestHeaders: (DescribedEvent & { logged: LoggedHeader[] }) | null;
}

/** An attempt with the selected fields. */
export type ShownAttempt = Shown<
  Omit<LoggedAttempt, "requestHeaders" | "responseHeaders"> & {
    requestHeaders: WebhookHeader[] | null;
    responseHeaders: WebhookHeader[] | null;
  },
  "id" | "startedAt"
>;

const requestHeaders = (shopId: string) =>
  expressionBuilder<Database, "delivery_attempts">()
    .selectFrom("deliveries")
    .innerJoin("events", (join) =>
      join.onRef("events.shop_id", "=", "deliveries.shop_id").on("events.id", "=", sql`event_id`),
    )
    .select(({ ref: column }) =>
      jsonBuildObject({
        eventId: column("events.id"),
        topic: column("events.topic"),
        isTest: column("is_test"),
        changed: column("changed"),
        actorId: column("actor_id"),
        logged: sql<LoggedHeader[]>`request_headers`,
      }).as("headers"),
    )
    .where("deliveries.shop_id", "=", shopId)
    .whereRef("deliveries.id", "=", "delivery_id")
    .where(sql<SqlBool>`request_headers is not null`);

/** Loads the newest attempts of deliveries of one shop, oldest first. */
export async function loadDeliveryAttempts(
  database: Kysely<Database>,
  deliveries: readonly FieldsKey[],
  em: EntityManager,
): Promise<ShownAttempt[][]> {
  const { shopId } = deliveries[0]!;
  const columns: Columns<AttemptRow> = {
    ...columnsOf(em, LoggedAttempt),
    requestHeaders: sql`${requestHeaders(shopId)}`,
  };
  const rows = await database
    .selectFrom(requestedRows(deliveries))
    .crossJoinLateral((query) =>
      query
        .selectFrom("delivery_attempts")
        .select(selectFields(columns, { fields: fieldsOf(deliveries) }, ["id", "startedAt"]))
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
