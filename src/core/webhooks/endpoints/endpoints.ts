import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { limitedTo } from "../../access/actor.ts";
import { loadActorNames } from "../../access/actor-name.ts";
import { describePlan, planLimits } from "../../access/permissions.ts";
import type { CoreServices } from "../../context.ts";
import type { Encryption } from "../../../platform/encryption.ts";
import { describeChange } from "../../audit/record-audit.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { changesSchema, newRecordSchema, type Changes } from "../../model/editable.ts";
import { newId, isId } from "../../model/ids.ts";
import { Permission } from "../../model/permissions.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { endpointSettings, PULL_URL, WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { lockShop } from "../../shops/shops.ts";
import { assignChanged } from "../../validation/changes.ts";
import { parseInput } from "../../validation/input.ts";
import { announceArrivals, sendNow } from "../jobs/send-jobs.sql.ts";
import { chooseFields, filterFields, findActors, requireReadable } from "./endpoint-filters.ts";
import { headersSchema, sealHeaders, openHeaders } from "./endpoint-headers.ts";
import { auditEndpoint, isOfOwn, isOwn, lockWebhookEndpoint, recordDeletedEndpoint } from "./read-webhook-endpoints.ts";
import { generateSigningSecret, secretOwner } from "./signing-secrets.ts";
import { targetUrl, withoutQuery } from "./target-url.ts";

const { url: _url, paused: _paused, ...pullFields } = endpointSettings;
const pullSettings = newRecordSchema({ ...pullFields, ...filterFields });
const pushSettings = (allowLoopback: boolean) =>
  pullSettings.extend({ url: targetUrl(allowLoopback), headers: headersSchema.nullish() });
const changedSettings = (allowLoopback: boolean) =>
  changesSchema({ ...endpointSettings, ...filterFields }).extend({
    url: targetUrl(allowLoopback).nullish(),
    headers: headersSchema.nullish(),
  });

type PushSettings = ReturnType<typeof pushSettings>;
type NewSettings = z.output<typeof pullSettings> & Partial<z.output<PushSettings>>;
type Services = Pick<CoreServices, "encryption" | "webhooksAllowLoopback">;

/**
 * Creates an endpoint: without a URL, a pull endpoint. The returned signing secret is stored encrypted and never shown
 * again: it is empty when an earlier request with the claim's key made the endpoint. Nobody knows the secret of a pull
 * endpoint, which release 1.0.0 expects. Header values are stored encrypted too.
 *
 * @throws AppError VALIDATION_FAILED; LIMIT_REACHED when the plan allows no more endpoints; NOT_FOUND when the endpoint
 *   of the claim's key was deleted or taken over
 */
export async function createWebhookEndpoint(
  operation: Operation<ShopKey>,
  { encryption, webhooksAllowLoopback }: Services,
  request: z.input<typeof pullSettings> | z.input<PushSettings>,
  claim?: IdempotencyClaim,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const isPull = !("url" in request);
  const settings: NewSettings = isPull
    ? parseInput(pullSettings, request)
    : parseInput(pushSettings(webhooksAllowLoopback), request);
  requireReadable(operation.actor, request);
  // Keyed: a plain digest would let readers of the database guess the values.
  const headers = settings.headers && encryption.sign(JSON.stringify(settings.headers), "idempotency of headers");
  const input = { ...settings, headers };
  const once = { shopId: operation.shop.id, claim, operation: "createWebhookEndpoint", input };
  return inTransaction(operation, async (inside) => {
    let made: { endpoint: WebhookEndpoint; secret: string } | undefined;
    // The id alone is stored with the key.
    const id = await runIdempotent(inside.em, once, async () => {
      made = await addEndpoint(inside, encryption, settings);
      return made.endpoint.id;
    });
    return made ?? { endpoint: await lockWebhookEndpoint(inside, id), secret: "" };
  });
}

async function addEndpoint(inside: Operation<ShopKey>, encryption: Encryption, settings: NewSettings) {
  const { topics, description, ...input } = settings;
  const { em, actor } = inside;
  const shop = await lockShop(em, inside.shop.id);
  const { webhookEndpoints } = planLimits(shop);
  if ((await em.count(WebhookEndpoint, { shopId: shop.id })) >= webhookEndpoints) {
    throw new AppError("LIMIT_REACHED", `${describePlan(shop)} allows ${webhookEndpoints} webhook endpoints`);
  }
  const isPull = input.url === undefined;
  const secret = generateSigningSecret();
  const key = { shopId: shop.id, id: newId("whe") };
  const createdAt = await databaseTime(em);
  const endpoint = em.create(WebhookEndpoint, {
    ...key,
    url: input.url ?? PULL_URL,
    topics,
    fields: chooseFields(topics, input.fields),
    ignoredActorIds: await findActors(em, shop.id, input.ignoredActorIds ?? []),
    description: description ?? null,
    ...sealHeaders(encryption, key, input.headers ?? {}),
    paused: isPull,
    pullPaused: isPull ? false : null,
    serviceTokenId: limitedTo(actor, Permission.SETTINGS) ?? null,
    sealedSecret: encryption.seal(secret, secretOwner(key)),
    createdBy: actor.id,
    createdAt,
    updatedAt: createdAt,
  });
  em.persist(endpoint);
  const { headerNames, fields, ignoredActorIds } = endpoint;
  const shown = Object.entries(showSettings({ topics, description, headerNames, fields, ignoredActorIds }));
  const details = Object.fromEntries(shown.filter(([, value]) => value !== ""));
  await auditEndpoint(inside, AuditAction.WEBHOOK_ENDPOINT_CREATED, endpoint, details);
  return { endpoint, secret };
}

/**
 * Changes the given settings. Resuming a paused endpoint sends its pending deliveries.
 *
 * @throws AppError VALIDATION_FAILED, also for headers to another origin, and a URL or headers of a pull endpoint;
 *   NOT_FOUND
 */
export async function updateWebhookEndpoint(
  operation: Operation<ShopKey>,
  { encryption, webhooksAllowLoopback }: Services,
  id: string,
  request: Changes<typeof endpointSettings> & Omit<z.input<PushSettings>, keyof typeof endpointSettings>,
): Promise<void> {
  const { headers, ignoredActorIds, ...input } = parseInput(changedSettings(webhooksAllowLoopback), request);
  requireReadable(operation.actor, request);
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    if (ignoredActorIds) await lockShop(em, shop.id);
    const endpoint = await lockWebhookEndpoint(inside, id);
    const isPull = endpoint.pullPaused !== null;
    const url = input.url ?? undefined;
    const topics = input.topics ?? endpoint.topics;
    const chosen = chooseFields(topics, input.fields, endpoint.fields);
    const ignored = ignoredActorIds && (await findActors(em, shop.id, ignoredActorIds, endpoint.ignoredActorIds));
    if (isPull) refusePushSettings({ url, headers });
    if (url && !headers) requireHeadersForNewOrigin(endpoint, url);
    const audited = { id, url: endpoint.url, description: endpoint.description };
    const areHeadersNew = headers && !isDeepStrictEqual(headers, openHeaders(encryption, endpoint));
    const { fields, before } = assignChanged<WebhookEndpoint, Partial<WebhookEndpoint>>(endpoint, {
      url,
      topics,
      description: input.description,
      [isPull ? "pullPaused" : "paused"]: input.paused,
      fields: chosen,
      ignoredActorIds: ignored ?? undefined,
      ...(areHeadersNew && sealHeaders(encryption, endpoint, headers)),
    });
    if (fields.length === 0) return;
    endpoint.updatedAt = await databaseTime(em);
    if (before.pullPaused) await announceArrivals(em, [id]);
    // Sends the pending deliveries.
    if (before.paused) await sendNow(em, { shopId: shop.id, endpointId: id });
    const after = Object.fromEntries(fields.map((name) => [name, endpoint[name]]));
    const details = describeChange(showSettings(before), showSettings(after));
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

/** Values for the audit log, which shows only the names of headers. */
function showSettings(settings: Partial<WebhookEndpoint>): Record<string, string> {
  const { url, headerNames, sealedHeaders: _, fields, pullPaused, paused = pullPaused, ...others } = settings;
  const values = { ...others, url: url && withoutQuery(url), headers: headerNames, onlyFields: fields, paused };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value ?? "")]),
  );
}

/** Leaves the endpoint of a service token to staff. Does nothing if it is theirs. @throws AppError NOT_FOUND */
export async function takeOverWebhookEndpoint(operation: Operation<ShopKey>, id: string): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    await lockShop(em, shop.id);
    const endpoint = await lockWebhookEndpoint(inside, id);
    if (endpoint.serviceTokenId === null) return;
    const [oldServiceToken] = await loadActorNames(kysely(em), [{ shopId: shop.id, id: endpoint.serviceTokenId }]);
    Object.assign(endpoint, { serviceTokenId: null, updatedAt: await databaseTime(em) });
    const details = { oldServiceToken: oldServiceToken ?? "", serviceToken: "" };
    await auditEndpoint(inside, AuditAction.WEBHOOK_ENDPOINT_UPDATED, endpoint, details);
  });
}

/** Deletes an endpoint and stops its deliveries. Their log stays. Returns false when it does not exist. */
export async function deleteWebhookEndpoint(operation: Operation<ShopKey>, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return inTransaction(operation, async (inside) => {
    const { em, shop, actor } = inside;
    const database = kysely(em);
    const owner = limitedTo(actor, Permission.SETTINGS);
    // Otherwise the endpoint may be taken over between the two deletions.
    await lockShop(em, shop.id);
    // Before the endpoint, in the order of recording attempts, to prevent deadlocks.
    await database
      .deleteFrom("hourly_attempts")
      .where("shop_id", "=", shop.id)
      .where("endpoint_id", "=", id)
      .where(isOfOwn(shop.id, owner))
      .execute();
    const deleted = await database
      .deleteFrom("webhook_endpoints")
      .where("shop_id", "=", shop.id)
      .where("id", "=", id)
      .where(isOwn(owner))
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
