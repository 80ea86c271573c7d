import type { Kysely } from "kysely";
import { isId } from "../../platform/ids.ts";
import { runStatement, type Database } from "../database.ts";
import { productColumns, type ProductFields } from "./list-products.ts";
import type { Product } from "./product.entity.ts";

/** The product, or undefined when this shop has none by the id. */
export async function findProduct(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  fields: ProductFields,
): Promise<Product | undefined> {
  if (!isId(id)) return undefined;
  const text = `select ${productColumns(fields)} from products where shop_id = $1 and id = $2`;
  const [product] = await runStatement<Product>(database, text, [shopId, id]);
  return product;
}
