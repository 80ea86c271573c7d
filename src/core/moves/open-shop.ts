import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../access/author.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../audit/record-audit.ts";
import { recordNotices } from "../notifications/record-notices.sql.ts";
import { sendOutstanding } from "../webhooks/deliveries/send-jobs.sql.ts";
import { lockShop } from "../shops/lock-shop.ts";
import { Shop } from "../model/shops/shop.entity.ts";

/**
 * Opens a shop that was closed. What was to be sent meanwhile is sent, and staff are told of what happened. Does nothing when
 * it is open.
 *
 * @throws AppError SHOP_NOT_FOUND
 */
export async function openShop(
  em: EntityManager,
  shopId: string,
  author: Author,
  entry: { action: AuditAction; details?: AuditDetails } = { action: AuditAction.SHOP_OPENED },
): Promise<void> {
  await em.transactional(async (transaction) => {
    const { name, closedAt } = await lockShop(transaction, shopId);
    if (!closedAt) return;
    await transaction.nativeUpdate(Shop, { id: shopId }, { closedAt: null });
    await sendOutstanding(transaction, shopId);
    await recordNotices(transaction, shopId, []);
    await recordAudit(transaction, shopId, author, { ...entry, target: { id: shopId, name } });
  });
}
