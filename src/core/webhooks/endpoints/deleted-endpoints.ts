import type { EntityManager } from "@mikro-orm/postgresql";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";

/** Stores what the log shows of a deleted endpoint, if it ever had deliveries. */
export async function recordDeletedEndpoint(
  em: EntityManager,
  { shopId, id, url }: Pick<DeletedWebhookEndpoint, "shopId" | "id" | "url">,
): Promise<void> {
  const delivery = await kysely(em)
    .selectFrom("deliveries")
    .select("id")
    .where("shop_id", "=", shopId)
    .where("endpoint_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  if (!delivery) return;
  await em.insert(DeletedWebhookEndpoint, { shopId, id, url, deletedAt: await databaseTime(em) });
}

/** Lists a shop's deleted endpoints with stored deliveries, last deleted first. */
export function listDeletedEndpoints(em: EntityManager, shopId: string): Promise<DeletedWebhookEndpoint[]> {
  return em.find(
    DeletedWebhookEndpoint,
    { shopId },
    { orderBy: { deletedAt: "desc", id: "desc" }, disableIdentityMap: true },
  );
}
