import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { databaseTime } from "../queries/database-time.ts";
import { lockShop } from "../shops/lock-shop.ts";
import { Shop } from "../model/shops/shop.entity.ts";

/**
 * Closes a shop so that it can move. Until it is opened, keys, services and staff are refused and nothing is sent.
 * Running work may take half a minute to end. Does nothing when it is closed.
 *
 * @throws AppError SHOP_NOT_FOUND
 */
export async function closeShop(operation: Operation<ShopKey>): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const { name, closedAt } = await lockShop(em, shop.id);
    if (closedAt) return;
    await em.nativeUpdate(Shop, { id: shop.id }, { closedAt: await databaseTime(em) });
    const target = { id: shop.id, name };
    await recordAudit(inside, { action: AuditAction.SHOP_CLOSED, target });
  });
}
