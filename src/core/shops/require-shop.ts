import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { databaseTime } from "../queries/database-time.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import { Plan, Shop } from "../model/shops/shop.entity.ts";

/** Returns the shop. @throws AppError SHOP_NOT_FOUND */
export async function requireShop(em: EntityManager, id: string): Promise<CurrentShop> {
  const shop = await em.findOne(Shop, { id }, { disableIdentityMap: true });
  if (!shop) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
  const trialHasEnded = shop.plan === Plan.TRIAL && shop.trialEndsAt! <= (await databaseTime(em));
  return { ...shop, trialHasEnded };
}
