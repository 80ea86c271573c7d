import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { AuditAction } from "../credentials/audit-entry.entity.ts";
import { recordAudit } from "../credentials/record-audit.ts";
import { parseInput, text } from "../input.ts";
import { lockShop } from "./lock-shop.ts";
import type { CurrentShop } from "./current-shop.ts";
import { Shop } from "./shop.entity.ts";

const updateShopSchema = z.strictObject({
  name: text({ min: 1, max: 255, trim: true }).nullish(),
  oversells: z.boolean().nullish(),
});

/** Changes what is given; the answer is the shop after it. @throws AppError VALIDATION_FAILED */
export async function updateShop(
  em: EntityManager,
  shopId: string,
  caller: Caller,
  request: z.input<typeof updateShopSchema>,
): Promise<CurrentShop> {
  const input = parseInput(updateShopSchema, request);
  return em.transactional(async (transaction) => {
    const shop = await lockShop(transaction, shopId);
    const { name, oversells } = { name: input.name ?? shop.name, oversells: input.oversells ?? shop.oversells };
    const details = {
      ...(name !== shop.name && { name }),
      ...(oversells !== shop.oversells && { oversells: String(oversells) }),
    };
    if (Object.keys(details).length === 0) return shop;
    await transaction.nativeUpdate(Shop, { id: shopId }, { name, oversells });
    const target = { id: shopId, name: shop.name };
    await recordAudit(transaction, shopId, caller, { action: AuditAction.SHOP_UPDATED, target, details });
    return { ...shop, name, oversells };
  });
}
