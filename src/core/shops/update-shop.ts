import type { EntityManager } from "@mikro-orm/postgresql";
import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import type { Actor } from "../access/actor.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { describeChange, recordAudit } from "../audit/record-audit.ts";
import { secondFactorMissing } from "../model/errors.ts";
import { Staff } from "../model/staff/staff.entity.ts";
import { changesSchema, type Changes } from "../model/editable.ts";
import { taxRate } from "../validation/amount.ts";
import { differing } from "../validation/changes.ts";
import { parseInput } from "../validation/input.ts";
import { sandboxName } from "./sandbox-rules.ts";
import { lockShop } from "./shops.ts";
import { readCashRounding } from "./read-cash-rounding.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import { Shop, shopSettings } from "../model/shops/shop.entity.ts";

const updateShopSchema = changesSchema(shopSettings).extend({ defaultTaxRate: taxRate.nullish() });

/**
 * Changes the given settings and returns the shop.
 *
 * @throws AppError VALIDATION_FAILED; SECOND_FACTOR_NOT_ENROLLED for owners who would lock themselves out
 */
export async function updateShop(
  operation: Operation<ShopKey>,
  request: Changes<typeof shopSettings>,
): Promise<CurrentShop> {
  const input = parseInput(updateShopSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em, actor } = inside;
    const shopId = inside.shop.id;
    const shop = await lockShop(em, shopId);
    if (input.cashRounding != null) input.cashRounding = readCashRounding(input.cashRounding, shop);
    if (shop.sandboxOf !== null && input.name != null) input.name = sandboxName(input.name);
    const changes = differing<Shop, Partial<Shop>>(shop, input);
    if (Object.keys(changes).length === 0) return shop;
    if (changes.requiresSecondFactor) await requireOwnFactor(em, actor);
    await em.nativeUpdate(Shop, { id: shopId }, changes);
    const { requiresSecondFactor } = changes;
    // Resetting a sandbox copies the shop's products.
    if (requiresSecondFactor !== undefined)
      await em.nativeUpdate(Shop, { sandboxOf: shopId }, { requiresSecondFactor });
    const details = describeChange(shop, changes);
    const target = { id: shopId, name: shop.name };
    await recordAudit(inside, { action: AuditAction.SHOP_UPDATED, target, details });
    return { ...shop, ...changes };
  });
}

async function requireOwnFactor(em: EntityManager, { id }: Actor): Promise<void> {
  if ((await em.count(Staff, { id: id!, secondFactorAt: { $ne: null } })) > 0) return;
  throw secondFactorMissing("You must use two-factor authentication to require it");
}
