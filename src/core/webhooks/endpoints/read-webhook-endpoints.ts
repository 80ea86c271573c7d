import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import type { Operation, ShopKey } from "../../access/operation.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Database } from "../../model/tables.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { endpointName, PULL_URL, WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { columnsOf } from "../../queries/columns.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { answerOf } from "../../queries/find-by-id.ts";
import { fieldsOf, idIn, matchByRequest, type FieldsKey, type RowKey } from "../../queries/row-key.ts";
import type { Selection } from "../../queries/selection.ts";
import { withoutQuery } from "./target-url.ts";

/** The shown properties of an endpoint. */
export type ListedWebhookEndpoint = Omit<WebhookEndpoint, "sealedSecret" | "sealedOldSecret" | "sealedHeaders">;

type ShownProperty = Extract<keyof ListedWebhookEndpoint, string>;

/** The properties for these fields, including those used by resolvers. */
function shownProperties(em: EntityManager, fields: ReadonlySet<string>): ShownProperty[] {
  const shown = new Set([
    ...fields,
    "shopId",
    "id",
    "url",
    "description",
    "createdBy",
    "pullPaused",
    "ignoredActorIds",
  ]);
  return Object.keys(columnsOf(em, WebhookEndpoint)).filter((name) => shown.has(name)) as ShownProperty[];
}

/** Lists a shop's endpoints, oldest first, without pages because plans allow few. */
export function listWebhookEndpoints(
  em: EntityManager,
  shopId: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint[]> {
  const options = { fields: shownProperties(em, fields), orderBy: { id: "asc" }, disableIdentityMap: true } as const;
  return em.find(WebhookEndpoint, { shopId }, options);
}

/** Loads endpoints of one shop by their keys. Null for deleted ones. */
export async function loadWebhookEndpoints(
  _database: Kysely<Database>,
  endpoints: readonly FieldsKey[],
  em: EntityManager,
): Promise<(ListedWebhookEndpoint | null)[]> {
  const rows = await listWebhookEndpoints(em, endpoints[0]!.shopId, fieldsOf(endpoints));
  return matchByRequest(endpoints, rows);
}

/** Finds an endpoint. Undefined when this shop has none with this id. */
export async function findWebhookEndpoint(
  em: EntityManager,
  shopId: string,
  id: string,
  { fields }: Selection,
): Promise<ListedWebhookEndpoint | undefined> {
  if (!isId(id)) return undefined;
  const options = { fields: shownProperties(em, fields), disableIdentityMap: true } as const;
  return (await em.findOne(WebhookEndpoint, { shopId, id }, options)) ?? undefined;
}

export const answerWebhookEndpoint = answerOf("Webhook endpoint", findWebhookEndpoint);

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

/** Loads deleted endpoints of one shop by their keys. Null for existing ones. */
export async function loadDeletedEndpoints(
  database: Kysely<Database>,
  endpoints: readonly RowKey[],
): Promise<(DeletedWebhookEndpoint | null)[]> {
  const rows = await database
    .selectFrom("deleted_webhook_endpoints")
    .select(["shop_id as shopId", "id", "url", "description", "deleted_at as deletedAt"])
    .where("shop_id", "=", endpoints[0]!.shopId)
    .where("id", "=", idIn(endpoints))
    .execute();
  return matchByRequest(endpoints, rows);
}
