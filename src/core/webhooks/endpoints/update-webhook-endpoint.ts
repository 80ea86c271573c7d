import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { invalidInput } from "../../model/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { descriptionSchema, type WebhookServices } from "./create-webhook-endpoint.ts";
import { headersSchema, openHeaders, sealHeaders } from "./endpoint-headers.ts";
import { lockWebhookEndpoint } from "./lock-webhook-endpoint.ts";
import { targetUrl, withoutQuery } from "./target-url.ts";
import { inOrder, topicNames } from "../../model/webhooks/topics.ts";
import { sendNow } from "../jobs/send-jobs.sql.ts";
import type { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

const updateWebhookEndpointSchema = (allowLoopback: boolean) =>
  z.strictObject({
    url: targetUrl(allowLoopback).nullish(),
    topics: z.array(z.enum(topicNames)).min(1).nullish(),
    description: descriptionSchema.nullish(),
    headers: headersSchema.nullish(),
    paused: z.boolean().nullish(),
  });

/**
 * Changes the given settings. Resuming a paused endpoint sends its pending deliveries.
 *
 * @throws AppError VALIDATION_FAILED, also when headers would be sent to another origin; NOT_FOUND
 */
export async function updateWebhookEndpoint(
  operation: Operation<ShopKey>,
  { encryption, webhooksAllowLoopback }: WebhookServices,
  id: string,
  request: z.input<ReturnType<typeof updateWebhookEndpointSchema>>,
): Promise<void> {
  const { url, topics, description, headers, paused } = parseInput(
    updateWebhookEndpointSchema(webhooksAllowLoopback),
    request,
  );
  const given = {
    url: url ?? undefined,
    topics: topics ? inOrder(topics) : undefined,
    description,
    paused: paused ?? undefined,
  };
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const endpoint = await lockWebhookEndpoint(em, shop.id, id);
    if (given.url && !headers) requireHeadersForNewOrigin(endpoint, given.url);
    const target = { id, name: withoutQuery(endpoint.url) };
    const areHeadersNew = headers && !isDeepStrictEqual(headers, openHeaders(encryption, endpoint));
    const changes = {
      ...changesOf(endpoint, given),
      ...(areHeadersNew && sealHeaders(encryption, endpoint, headers)),
    };
    if (Object.keys(changes).length === 0) return;
    Object.assign(endpoint, changes, { updatedAt: await databaseTime(em) });
    // Sends the pending deliveries.
    if (changes.paused === false) await sendNow(em, { shopId: shop.id, endpointId: id });
    const action = AuditAction.WEBHOOK_ENDPOINT_UPDATED;
    await recordAudit(inside, { action, target, details: describeChanges(changes) });
  });
}

/** Hidden header values must not become readable by sending them to another origin. */
function requireHeadersForNewOrigin(endpoint: WebhookEndpoint, url: string): void {
  if (endpoint.sealedHeaders === null || new URL(url).origin === new URL(endpoint.url).origin) return;
  const message = "Must be entered again, or emptied, when the origin of the URL changes";
  throw invalidInput([{ path: "headers", code: "required", message }]);
}

type Changes = Partial<
  Pick<WebhookEndpoint, "url" | "topics" | "description" | "paused" | "headerNames" | "sealedHeaders">
>;

/** The changed values. */
function changesOf(endpoint: WebhookEndpoint, given: Changes): Changes {
  const differs = ([name, value]: [string, unknown]) =>
    value !== undefined && !isDeepStrictEqual(value, endpoint[name as keyof Changes]);
  return Object.fromEntries(Object.entries(given).filter(differs));
}

/** The changes for the audit log, which shows only the names of headers. */
function describeChanges({ url, topics, description, headerNames, paused }: Changes): Record<string, string> {
  return {
    ...(url !== undefined && { url: withoutQuery(url) }),
    ...(topics && { topics: topics.join(", ") }),
    ...(description !== undefined && { description: description ?? "" }),
    ...(headerNames && { headers: headerNames.join(", ") }),
    ...(paused !== undefined && { paused: String(paused) }),
  };
}
