import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { lockWebhookEndpoint } from "./lock-webhook-endpoint.ts";
import { withoutQuery } from "./target-url.ts";

/**
 * Uses the new secret for the specification's header from now on. Does nothing if it is already used. @throws AppError
 * NOT_FOUND
 */
export async function activateWebhookSecret(
  em: EntityManager,
  shopId: string,
  author: Author,
  id: string,
): Promise<void> {
  await em.transactional(async (transaction) => {
    const endpoint = await lockWebhookEndpoint(transaction, shopId, id);
    const now = await databaseTime(transaction);
    if (!endpoint.secretActiveAt || endpoint.secretActiveAt <= now) return;
    Object.assign(endpoint, { secretActiveAt: now, updatedAt: now });
    const target = { id, name: withoutQuery(endpoint.url) };
    await recordAudit(transaction, shopId, author, { action: AuditAction.WEBHOOK_SECRET_ACTIVATED, target });
  });
}
