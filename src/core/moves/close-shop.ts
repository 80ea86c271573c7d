import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../access/author.ts";
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
export async function closeShop(em: EntityManager, shopId: string, author: Author): Promise<void> {
  await em.transactional(async (transaction) => {
    const { name, closedAt } = await lockShop(transaction, shopId);
    if (closedAt) return;
    await transaction.nativeUpdate(Shop, { id: shopId }, { closedAt: await databaseTime(transaction) });
    const target = { id: shopId, name };
    await recordAudit(transaction, shopId, author, { action: AuditAction.SHOP_CLOSED, target });
  });
}
