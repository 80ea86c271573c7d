import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../platform/errors.ts";
import { projections, runStatement } from "../database.ts";
import type { Shop } from "./shop.entity.ts";

/**
 * The shop as it is now, locked until the transaction ends: requests that race for the last place of a plan
 * take turns. Records that refer to the shop are not held up.
 *
 * @throws AppError SHOP_NOT_FOUND
 */
export async function lockShop(em: EntityManager, shopId: string): Promise<Shop> {
  const [shop] = await runStatement<Shop>(
    projections(em),
    `select id, name, plan, trial_ends_at as "trialEndsAt", currency, oversells, created_at as "createdAt"
    from shops where id = $1 for no key update`,
    [shopId],
  );
  if (!shop) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
  return shop;
}
