import type { EntityManager } from "@mikro-orm/postgresql";
import { expressionBuilder, sql, type SqlBool } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { Database } from "../../model/tables.ts";
import { LoggedAttempt, type LoggedHeader, type WebhookHeader } from "../../model/webhooks/delivery-attempt.entity.ts";
import { jsonRows, shopParameter, type InJson, type Shown } from "../../queries/columns.ts";
import type { Selection } from "../../queries/selection.ts";
import { deliveryHeaders, type DescribedEvent } from "./delivery-headers.ts";

/** The maximum number of attempts shown for a delivery. */
const MAX_ATTEMPTS_SHOWN = 50;

/** An attempt with the selected fields, and what the headers that are not logged follow from. */
export type AttemptRow = InJson<
  Shown<
    Omit<LoggedAttempt, "requestHeaders"> & { requestHeaders: (DescribedEvent & { logged: LoggedHeader[] }) | null },
    "id" | "startedAt"
  >
>;

/** An attempt as shown. */
export type ShownAttempt = Omit<AttemptRow, "requestHeaders" | "responseHeaders"> & {
  requestHeaders: WebhookHeader[] | null;
  responseHeaders: WebhookHeader[] | null;
};

const requestHeaders = expressionBuilder<Database, "delivery_attempts">()
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
  .where("deliveries.shop_id", "=", shopParameter)
  .whereRef("deliveries.id", "=", "delivery_id")
  .where(sql<SqlBool>`request_headers is not null`);

/** SQL: the newest attempts of a delivery, as JSON. */
export function attemptsOf(em: EntityManager, deliveryId: string, selection: Selection) {
  return jsonRows(em, LoggedAttempt, {
    on: `delivery_id = ${deliveryId} and fetched_by is null`,
    order: `started_at desc, id desc limit ${MAX_ATTEMPTS_SHOWN}`,
    selection,
    always: ["id", "startedAt"],
    others: { requestHeaders: sql`${requestHeaders}` },
  });
}

/** Shows attempts that were read, oldest first. */
export function showAttempts(attempts: readonly AttemptRow[]): ShownAttempt[] {
  const shown = attempts.map(({ requestHeaders: sent, responseHeaders, ...attempt }) => ({
    ...attempt,
    requestHeaders: sent
      ? showHeaders([...Object.entries(deliveryHeaders(sent, new Date(attempt.startedAt))), ...sent.logged])
      : null,
    responseHeaders: responseHeaders ? showHeaders(responseHeaders) : null,
  }));
  return shown.toReversed();
}

function showHeaders(headers: readonly LoggedHeader[]): WebhookHeader[] {
  return headers.map(([name, value]) => ({ name, value }));
}
