import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Database } from "../database.ts";
import type { RowKey } from "../row-key.ts";
import type { Variant } from "./variant.entity.ts";

/** The variants of each product, in their order. All products are of one shop. */
export async function loadVariants(database: Kysely<Database>, products: readonly RowKey[]): Promise<Variant[][]> {
  const ids = products.map((product) => product.id);
  const rows = await database
    .selectFrom("variants")
    .select([
      "shop_id as shopId",
      "id",
      "product_id as productId",
      "title",
      "sku",
      "barcode",
      "price",
      "inventory_quantity as inventoryQuantity",
      "created_at as createdAt",
      "updated_at as updatedAt",
    ])
    .where("shop_id", "=", products[0]!.shopId)
    .where("product_id", "=", sql<string>`any(${ids})`)
    .orderBy("product_id")
    .orderBy("position")
    .execute();
  const byProduct = new Map<string, Variant[]>(ids.map((id) => [id, []]));
  for (const row of rows) byProduct.get(row.productId)!.push(row as unknown as Variant);
  return ids.map((id) => byProduct.get(id)!);
}
