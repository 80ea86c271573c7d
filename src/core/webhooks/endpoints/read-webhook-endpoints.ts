import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { sql, type Expression, type Kysely, type SqlBool } from "kysely";
import { createParameterDecorator } from "type-graphql";
import { limitedTo } from "../../access/actor.ts";
import { operationOf, type Operation, type ShopKey } from "../../access/operation.ts";
import type { CoreContext } from "../../context.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { CREDENTIAL_STATUS, type CredentialStatus } from "../../model/credentials/credential.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { Permission } from "../../model/permissions.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { endpointName, PULL_URL, WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import type { Database } from "../../model/tables.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { idIn, matchByRequest, type RowKey } from "../../queries/row-key.ts";
import { withoutQuery } from "./target-url.ts";

/** A row of a shop that must belong to an endpoint of this service token, if it is set. */
export interface OwnKey extends RowKey {
  owner: string | undefined;
}

/** SQL: true for an endpoint of the service token that `limitedTo` returns, and for all if it returns none. */
export function isOwn(owner: string | undefined): Expression<SqlBool> {
  return owner === undefined ? sql`true` : sql`service_token_id = ${owner}`;
}

/** SQL: the same for a row of an endpoint. */
export function isOfOwn(shopId: string, owner: string | undefined): Expression<SqlBool> {
  if (owner === undefined) return sql`true`;
  return sql`endpoint_id in (select id from webhook_endpoints where shop_id = ${shopId} and ${isOwn(owner)})`;
}

/** The service token whose own endpoints alone the caller may see, as a parameter of a field of `Shop`. */
export const Owner = () =>
  createParameterDecorator<CoreContext>(({ root, context }) =>
    limitedTo(operationOf(context, root.id).actor, Permission.READ_LOGS),
  );

/**
 * Locks an endpoint that the actor may change, until the transaction ends. New events for it wait.
 *
 * @throws AppError NOT_FOUND
 */
export async function lockWebhookEndpoint(
  { em, shop: { id: shopId }, actor }: Operation<ShopKey>,
  id: string,
): Promise<WebhookEndpoint> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const owner = limitedTo(actor, Permission.SETTINGS);
  const key = { shopId, id, ...(owner && { serviceTokenId: owner }) };
  const endpoint = isId(id) ? await em.findOne(WebhookEndpoint, key, { lockMode }) : null;
  if (!endpoint) throw new AppError("NOT_FOUND", "Webhook endpoint not found");
  return endpoint;
}

/** Loads the status of service tokens of one shop. Not with an endpoint: on a cluster, tokens are on the coordinator. */
export async function loadTokenStatuses(
  database: Kysely<Database>,
  keys: readonly RowKey[],
): Promise<(CredentialStatus | null)[]> {
  const rows = await database
    .selectFrom("service_tokens")
    .select(["id", sql.raw<CredentialStatus>(CREDENTIAL_STATUS).as("status")])
    .where("shop_id", "=", keys[0]!.shopId)
    .where("id", "=", idIn(keys))
    .execute();
  return matchByRequest(keys, rows).map((row) => row?.status ?? null);
}

/** Adds an entry about an endpoint to the audit log. */
export function auditEndpoint(
  operation: Operation<ShopKey>,
  action: AuditAction,
  { id, ...endpoint }: Pick<WebhookEndpoint, "id" | "url" | "description">,
  details?: AuditDetails,
): Promise<void> {
  const name = endpoint.url === PULL_URL ? endpointName(endpoint) : withoutQuery(endpoint.url);
  return recordAudit(operation, { action, target: { id, name }, details });
}

/**
 * Limits an audited action at a locked endpoint.
 *
 * @param most actions in a minute
 * @throws AppError RATE_LIMITED
 */
export async function limitRate(
  em: EntityManager,
  { shopId, id }: Pick<WebhookEndpoint, "shopId" | "id">,
  { action, most, message }: { action: AuditAction; most: number; message: string },
): Promise<void> {
  const recent = await kysely(em)
    .selectFrom("audit_entries")
    .select(sql<number>`ceil(extract(epoch from created_at + interval '1 minute' - now()))::int`.as("wait"))
    .where("shop_id", "=", shopId)
    .where("target_id", "=", id)
    .where("action", "=", action)
    .where("created_at", ">", sql<Date>`now() - interval '1 minute'`)
    .orderBy("created_at", "desc")
    .limit(most)
    .execute();
  if (recent.length < most) return;
  throw new AppError("RATE_LIMITED", message, { hint: `Try again in ${Math.max(1, recent.at(-1)!.wait)} seconds.` });
}

/** Stores what the log shows of a deleted endpoint, if it ever had deliveries. */
export async function recordDeletedEndpoint(
  em: EntityManager,
  { shopId, id, ...shown }: Pick<DeletedWebhookEndpoint, "shopId" | "id" | "url" | "description">,
): Promise<void> {
  const delivery = await kysely(em)
    .selectFrom("deliveries")
    .select("id")
    .where("shop_id", "=", shopId)
    .where("endpoint_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  if (!delivery) return;
  await em.insert(DeletedWebhookEndpoint, { shopId, id, ...shown, deletedAt: await databaseTime(em) });
}

/** Lists a shop's deleted endpoints with stored deliveries, last deleted first. */
export function listDeletedEndpoints(em: EntityManager, shopId: string): Promise<DeletedWebhookEndpoint[]> {
  return em.find(
    DeletedWebhookEndpoint,
    { shopId },
    { orderBy: { deletedAt: "desc", id: "desc" }, disableIdentityMap: true },
  );
}
