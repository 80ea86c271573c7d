import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { describePlan, planLimits } from "../../access/permissions.ts";
import type { CoreServices } from "../../context.ts";
import { describeChange } from "../../audit/record-audit.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { newId, isId } from "../../model/ids.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { line } from "../../model/text.ts";
import { inOrder, topicNames } from "../../model/webhooks/topics.ts";
import { PULL_URL, WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { lockShop } from "../../shops/shops.ts";
import { parseInput } from "../../validation/input.ts";
import { announceArrivals, sendNow } from "../jobs/send-jobs.sql.ts";
import { chooseFields, filterSchemas, findActors } from "./endpoint-filters.ts";
import { headersSchema, sealHeaders, openHeaders } from "./endpoint-headers.ts";
import { auditEndpoint, lockWebhookEndpoint, recordDeletedEndpoint } from "./read-webhook-endpoints.ts";
import { generateSigningSecret, secretOwner } from "./signing-secrets.ts";
import { targetUrl, withoutQuery } from "./target-url.ts";

const descriptionSchema = line({ max: 255 });

const createWebhookEndpointSchema = (allowLoopback: boolean) =>
  z.strictObject({
    url: targetUrl(allowLoopback),
    topics: z.array(z.enum(topicNames)).min(1),
    description: descriptionSchema.nullish(),
    headers: headersSchema.nullish(),
    ...filterSchemas,
  });

/**
 * Creates an endpoint. The signing secret in the answer is stored encrypted and never shown again. Header values are
 * stored encrypted too, and never shown.
 *
 * @throws AppError VALIDATION_FAILED; LIMIT_REACHED when the plan allows no more endpoints
 */
export async function createWebhookEndpoint(
  operation: Operation<ShopKey>,
  { encryption, webhooksAllowLoopback }: Pick<CoreServices, "encryption" | "webhooksAllowLoopback">,
  request: z.input<ReturnType<typeof createWebhookEndpointSchema>>,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const input = parseInput(createWebhookEndpointSchema(webhooksAllowLoopback), request);
  return addEndpoint(operation, encryption, { ...input, pullPaused: null });
}

const createPullEndpointSchema = z.strictObject({
  topics: z.array(z.enum(topicNames)).min(1),
  description: descriptionSchema.nullish(),
  ...filterSchemas,
});

/**
 * Creates a pull endpoint, and returns its id.
 *
 * @throws AppError VALIDATION_FAILED; LIMIT_REACHED when the plan allows no more endpoints
 */
export async function createPullEndpoint(
  operation: Operation<ShopKey>,
  { encryption }: Pick<CoreServices, "encryption">,
  request: z.input<typeof createPullEndpointSchema>,
): Promise<string> {
  const input = parseInput(createPullEndpointSchema, request);
  const { endpoint } = await addEndpoint(operation, encryption, { ...input, url: PULL_URL, pullPaused: false });
  return endpoint.id;
}

interface NewEndpoint extends z.output<typeof createPullEndpointSchema> {
  url: string;
  headers?: z.output<typeof headersSchema> | null | undefined;
  pullPaused: false | null;
}

/** Nobody knows the secret of a pull endpoint. Release 1.0.0 expects one. */
function addEndpoint(
  operation: Operation<ShopKey>,
  encryption: CoreServices["encryption"],
  { url, pullPaused, ...input }: NewEndpoint,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  return inTransaction(operation, async (inside) => {
    const { em, actor } = inside;
    const shopId = inside.shop.id;
    const shop = await lockShop(em, shopId);
    const { webhookEndpoints } = planLimits(shop);
    if ((await em.count(WebhookEndpoint, { shopId })) >= webhookEndpoints) {
      throw new AppError("LIMIT_REACHED", `${describePlan(shop)} allows ${webhookEndpoints} webhook endpoints`);
    }
    const secret = generateSigningSecret();
    const id = newId("whe");
    const createdAt = await databaseTime(em);
    const endpoint = em.create(WebhookEndpoint, {
      url,
      topics: inOrder(input.topics),
      fields: chooseFields(input.topics, input.fields),
      ignoredActorIds: await findActors(em, shopId, input.ignoredActorIds ?? []),
      description: input.description ?? null,
      ...sealHeaders(encryption, { shopId, id }, input.headers ?? {}),
      shopId,
      id,
      paused: pullPaused !== null,
      pullPaused,
      secretActiveAt: null,
      sealedOldSecret: null,
      oldSecretExpiresAt: null,
      sealedSecret: encryption.seal(secret, secretOwner({ shopId, id })),
      createdBy: actor.id,
      createdAt,
      updatedAt: createdAt,
    });
    em.persist(endpoint);
    await auditEndpoint(inside, AuditAction.WEBHOOK_ENDPOINT_CREATED, endpoint, {
      topics: endpoint.topics.join(", "),
      ...(endpoint.description !== null && { description: endpoint.description }),
      ...(endpoint.headerNames.length > 0 && { headers: endpoint.headerNames.join(", ") }),
      ...(endpoint.fields.length > 0 && { onlyFields: endpoint.fields.join(", ") }),
      ...(endpoint.ignoredActorIds.length > 0 && { ignoredActorIds: endpoint.ignoredActorIds.join(", ") }),
    });
    return { endpoint, secret };
  });
}

const updateWebhookEndpointSchema = (allowLoopback: boolean) =>
  z.strictObject({
    url: targetUrl(allowLoopback).nullish(),
    topics: z.array(z.enum(topicNames)).min(1).nullish(),
    description: descriptionSchema.nullish(),
    headers: headersSchema.nullish(),
    paused: z.boolean().nullish(),
    ...filterSchemas,
  });

/**
 * Changes the given settings. Resuming a paused endpoint sends its pending deliveries.
 *
 * @throws AppError VALIDATION_FAILED, also for headers to another origin, and a URL or headers of a pull endpoint;
 *   NOT_FOUND
 */
export async function updateWebhookEndpoint(
  operation: Operation<ShopKey>,
  { encryption, webhooksAllowLoopback }: Pick<CoreServices, "encryption" | "webhooksAllowLoopback">,
  id: string,
  request: z.input<ReturnType<typeof updateWebhookEndpointSchema>>,
): Promise<void> {
  const { url, topics, description, headers, paused, fields, ignoredActorIds } = parseInput(
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
    if (ignoredActorIds) await lockShop(em, shop.id);
    const endpoint = await lockWebhookEndpoint(em, shop.id, id);
    const filters = {
      fields: chooseFields(topics ?? endpoint.topics, fields, endpoint.fields),
      ignoredActorIds: ignoredActorIds
        ? await findActors(em, shop.id, ignoredActorIds, endpoint.ignoredActorIds)
        : undefined,
    };
    const isPull = endpoint.pullPaused !== null;
    if (isPull) refusePushSettings({ url, headers });
    if (given.url && !headers) requireHeadersForNewOrigin(endpoint, given.url);
    const audited = { id, url: endpoint.url, description: endpoint.description };
    const areHeadersNew = headers && !isDeepStrictEqual(headers, openHeaders(encryption, endpoint));
    const changes = {
      ...changesOf(endpoint, isPull ? { ...given, paused: undefined, pullPaused: given.paused } : given),
      ...changesOf(endpoint, filters),
      ...(areHeadersNew && sealHeaders(encryption, endpoint, headers)),
    };
    if (Object.keys(changes).length === 0) return;
    const before = Object.fromEntries(Object.keys(changes).map((name) => [name, endpoint[name as keyof Changes]]));
    Object.assign(endpoint, changes, { updatedAt: await databaseTime(em) });
    if (changes.pullPaused === false) await announceArrivals(em, [id]);
    // Sends the pending deliveries.
    if (changes.paused === false) await sendNow(em, { shopId: shop.id, endpointId: id });
    const details = describeChange(showValues(before), showValues(changes));
    await auditEndpoint(inside, AuditAction.WEBHOOK_ENDPOINT_UPDATED, audited, details);
  });
}

/** @throws AppError VALIDATION_FAILED for settings that a pull endpoint lacks */
function refusePushSettings(settings: { url: unknown; headers: unknown }): void {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return;
  const message = "Is not allowed for a pull endpoint, to which nothing is sent";
  throw invalidInput(given.map(([path]) => ({ path, code: "invalid_value", message })));
}

/** Hidden header values must not become readable by sending them to another origin. */
function requireHeadersForNewOrigin(endpoint: WebhookEndpoint, url: string): void {
  if (endpoint.sealedHeaders === null || new URL(url).origin === new URL(endpoint.url).origin) return;
  const message = "Must be entered again, or emptied, when the origin of the URL changes";
  throw invalidInput([{ path: "headers", code: "required", message }]);
}

type Changes = Partial<
  Pick<
    WebhookEndpoint,
    | "url"
    | "topics"
    | "description"
    | "paused"
    | "pullPaused"
    | "headerNames"
    | "sealedHeaders"
    | "fields"
    | "ignoredActorIds"
  >
>;

/** The changed values. */
function changesOf(endpoint: WebhookEndpoint, given: Changes): Changes {
  const differs = ([name, value]: [string, unknown]) =>
    value !== undefined && !isDeepStrictEqual(value, endpoint[name as keyof Changes]);
  return Object.fromEntries(Object.entries(given).filter(differs));
}

/** Values for the audit log, which shows only the names of headers. */
function showValues({
  url,
  topics,
  description,
  headerNames,
  pullPaused,
  paused = pullPaused ?? undefined,
  fields,
  ignoredActorIds,
}: Changes): Record<string, string> {
  return {
    ...(url !== undefined && { url: withoutQuery(url) }),
    ...(topics && { topics: topics.join(", ") }),
    ...(description !== undefined && { description: description ?? "" }),
    ...(headerNames && { headers: headerNames.join(", ") }),
    ...(paused !== undefined && { paused: String(paused) }),
    ...(fields && { onlyFields: fields.join(", ") }),
    ...(ignoredActorIds && { ignoredActorIds: ignoredActorIds.join(", ") }),
  };
}

/** Deletes an endpoint and stops its deliveries. Their log stays. Returns false when it does not exist. */
export async function deleteWebhookEndpoint(operation: Operation<ShopKey>, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const database = kysely(em);
    // Before the endpoint, in the order of recording attempts, to prevent deadlocks.
    await database.deleteFrom("hourly_attempts").where("shop_id", "=", shop.id).where("endpoint_id", "=", id).execute();
    const deleted = await database
      .deleteFrom("webhook_endpoints")
      .where("shop_id", "=", shop.id)
      .where("id", "=", id)
      .returning(["url", "description"])
      .executeTakeFirst();
    if (!deleted) return false;
    await recordDeletedEndpoint(em, { ...deleted, shopId: shop.id, id, url: withoutQuery(deleted.url) });
    if (deleted.url === PULL_URL) await announceArrivals(em, [id]);
    // A job fails the pending deliveries in batches.
    await sendNow(em, { shopId: shop.id, endpointId: id });
    await auditEndpoint(inside, AuditAction.WEBHOOK_ENDPOINT_DELETED, { id, ...deleted });
    return true;
  });
}
