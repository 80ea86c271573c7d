import type { EntityManager } from "@mikro-orm/postgresql";
import { Shop, Plan } from "../model/shops/shop.entity.ts";
import { AppError } from "../model/errors.ts";
import { databaseTime } from "../queries/database-time.ts";
import { type CurrentShop, selectShop } from "../model/shops/current-shop.ts";
import { kysely, prepared } from "../queries/database.ts";

/** Lists all shops of this service for its operator, oldest first. */
export function listShops(em: EntityManager): Promise<Shop[]> {
  return em.find(Shop, {}, { orderBy: { id: "asc" }, disableIdentityMap: true });
}

/** Returns the shop. @throws AppError SHOP_NOT_FOUND */
export async function requireShop(em: EntityManager, id: string): Promise<CurrentShop> {
  const shop = await em.findOne(Shop, { id }, { disableIdentityMap: true });
  if (!shop) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
  const trialHasEnded = shop.plan === Plan.TRIAL && shop.trialEndsAt! <= (await databaseTime(em));
  return { ...shop, trialHasEnded };
}

/**
 * Locks a shop until the transaction ends, so that concurrent requests for the last place of a plan run one after
 * another. Records that refer to the shop are not blocked.
 *
 * @throws AppError SHOP_NOT_FOUND
 */
export async function lockShop(em: EntityManager, shopId: string): Promise<CurrentShop> {
  const [shop] = await prepared(kysely(em), "lock shop", { shopId }, (given) =>
    kysely(em).selectFrom("shops").select(selectShop).where("id", "=", given.shopId).forNoKeyUpdate(),
  );
  if (!shop) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
  return shop;
}
