import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../audit/record-audit.ts";
import { recordNotices } from "../notifications/record-notices.sql.ts";
import { sendOutstanding } from "../webhooks/jobs/send-jobs.sql.ts";
import { lockShop } from "../shops/lock-shop.ts";
import { Shop } from "../model/shops/shop.entity.ts";

/**
 * Opens a closed shop, sends its pending deliveries, and notifies staff of what happened. Does nothing when it is open.
 *
 * @throws AppError SHOP_NOT_FOUND
 */
export async function openShop(
  operation: Operation<ShopKey>,
  entry: { action: AuditAction; details?: AuditDetails } = { action: AuditAction.SHOP_OPENED },
): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const { name, closedAt } = await lockShop(em, shop.id);
    if (!closedAt) return;
    await em.nativeUpdate(Shop, { id: shop.id }, { closedAt: null });
    await sendOutstanding(em, shop.id);
    await recordNotices(em, shop.id, []);
    await recordAudit(inside, { ...entry, target: { id: shop.id, name } });
  });
}
