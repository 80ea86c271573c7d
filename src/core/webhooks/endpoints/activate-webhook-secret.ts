import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { lockWebhookEndpoint } from "./lock-webhook-endpoint.ts";
import { withoutQuery } from "./target-url.ts";

/**
 * Uses the new secret for the specification's header from now on. Does nothing if it is already used. @throws AppError
 * NOT_FOUND
 */
export async function activateWebhookSecret(operation: Operation<ShopKey>, id: string): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const endpoint = await lockWebhookEndpoint(em, shop.id, id);
    const now = await databaseTime(em);
    if (!endpoint.secretActiveAt || endpoint.secretActiveAt <= now) return;
    Object.assign(endpoint, { secretActiveAt: now, updatedAt: now });
    const target = { id, name: withoutQuery(endpoint.url) };
    await recordAudit(inside, { action: AuditAction.WEBHOOK_SECRET_ACTIVATED, target });
  });
}
