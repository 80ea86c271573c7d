import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { kysely, runStatement } from "../queries/database.ts";
import { shopColumns, type CurrentShop } from "../model/shops/current-shop.ts";

/**
 * The shop as it is now, locked until the transaction ends: requests that race for the last place of a plan
 * take turns. Records that refer to the shop are not held up.
 *
 * @throws AppError SHOP_NOT_FOUND
 */
export async function lockShop(em: EntityManager, shopId: string): Promise<CurrentShop> {
  const [shop] = await runStatement<CurrentShop>(
    kysely(em),
    `select ${shopColumns} from shops where id = $1 for no key update`,
    [shopId],
  );
  if (!shop) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
  return shop;
}
