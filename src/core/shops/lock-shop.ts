import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { kysely, prepared } from "../queries/database.ts";
import { selectShop, type CurrentShop } from "../model/shops/current-shop.ts";

/**
 * The shop as it is now, locked until the transaction ends: requests that race for the last place of a plan
 * take turns. Records that refer to the shop are not held up.
 *
 * @throws AppError SHOP_NOT_FOUND
 */
export async function lockShop(em: EntityManager, shopId: string): Promise<CurrentShop> {
  const query = kysely(em).selectFrom("shops").select(selectShop).where("id", "=", shopId).forNoKeyUpdate();
  const [shop] = await prepared(kysely(em), "lock shop", query);
  if (!shop) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
  return shop;
}
