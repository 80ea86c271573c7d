import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { Operation, ShopKey } from "../../access/operation.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { endpointName, PULL_URL, WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { withoutQuery } from "./target-url.ts";

/**
 * Locks an endpoint until the transaction ends. New events for it wait.
 *
 * @throws AppError NOT_FOUND
 */
export async function lockWebhookEndpoint(em: EntityManager, shopId: string, id: string): Promise<WebhookEndpoint> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const endpoint = isId(id) ? await em.findOne(WebhookEndpoint, { shopId, id }, { lockMode }) : null;
  if (!endpoint) throw new AppError("NOT_FOUND", "Webhook endpoint not found");
  return endpoint;
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
