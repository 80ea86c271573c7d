import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Author } from "../access/author.ts";
import { AuditAction } from "../audit/audit-entry.entity.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { parseInput, text } from "../validation/input.ts";
import { lockShop } from "./lock-shop.ts";
import type { CurrentShop } from "./current-shop.ts";
import { Shop } from "./shop.entity.ts";

const updateShopSchema = z.strictObject({
  name: text({ min: 1, max: 255, trim: true }).nullish(),
  allowsOverselling: z.boolean().nullish(),
});

/** Changes what is given; the answer is the shop after it. @throws AppError VALIDATION_FAILED */
export async function updateShop(
  em: EntityManager,
  shopId: string,
  author: Author,
  request: z.input<typeof updateShopSchema>,
): Promise<CurrentShop> {
  const input = parseInput(updateShopSchema, request);
  return em.transactional(async (transaction) => {
    const shop = await lockShop(transaction, shopId);
    const { name, allowsOverselling } = {
      name: input.name ?? shop.name,
      allowsOverselling: input.allowsOverselling ?? shop.allowsOverselling,
    };
    const details = {
      ...(name !== shop.name && { name }),
      ...(allowsOverselling !== shop.allowsOverselling && { allowsOverselling: String(allowsOverselling) }),
    };
    if (Object.keys(details).length === 0) return shop;
    await transaction.nativeUpdate(Shop, { id: shopId }, { name, allowsOverselling });
    const target = { id: shopId, name: shop.name };
    await recordAudit(transaction, shopId, author, { action: AuditAction.SHOP_UPDATED, target, details });
    return { ...shop, name, allowsOverselling };
  });
}
