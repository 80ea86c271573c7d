import type { Kysely } from "kysely";
import { isId } from "../../platform/ids.ts";
import type { Database } from "../database.ts";
import { productColumns } from "./list-products.ts";
import type { Product } from "./product.entity.ts";

/** The product, or undefined when this shop has none by the id. */
export async function findProduct(
  database: Kysely<Database>,
  shopId: string,
  id: string,
): Promise<Product | undefined> {
  if (!isId(id)) return undefined;
  const row = await database
    .selectFrom("products")
    .select(productColumns)
    .where("shop_id", "=", shopId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row as Product | undefined;
}
