import { isId } from "../../model/ids.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { kysely } from "../../queries/database.ts";
import { sendNow } from "../jobs/send-jobs.sql.ts";
import { recordDeletedEndpoint } from "./deleted-endpoints.ts";
import { withoutQuery } from "./target-url.ts";

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
      .returning("url")
      .executeTakeFirst();
    if (!deleted) return false;
    const url = withoutQuery(deleted.url);
    await recordDeletedEndpoint(em, { shopId: shop.id, id, url });
    // A job fails the pending deliveries in batches.
    await sendNow(em, { shopId: shop.id, endpointId: id });
    const target = { id, name: url };
    await recordAudit(inside, { action: AuditAction.WEBHOOK_ENDPOINT_DELETED, target });
    return true;
  });
}
