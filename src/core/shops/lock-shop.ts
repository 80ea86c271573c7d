import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { kysely, prepared } from "../queries/database.ts";
import { selectShop, type CurrentShop } from "../model/shops/current-shop.ts";

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
