import type { Kysely } from "kysely";
import { selectList } from "../columns.ts";
import type { Database } from "../database.ts";
import { readRows } from "../newest-page.ts";
import type { Variant } from "./product.entity.ts";

const columns = {
  id: "id",
  productId: "product_id",
  title: "title",
  sku: "sku",
  barcode: "barcode",
  price: "price",
  inventoryQuantity: "inventory_quantity",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

/** The variants of a shop's products by product id, each product's in their order. */
export async function loadVariants(
  database: Kysely<Database>,
  shopId: string,
  products: readonly { id: string }[],
  fields: ReadonlySet<string>,
): Promise<Map<string, Variant[]>> {
  const rows = await readRows<Variant & { productId: string }>(
    database,
    `select ${selectList(columns, fields, ["id", "productId"])} from variants
    where shop_id = $1 and product_id = any($2) order by product_id, position`,
    [shopId, products.map((product) => product.id)],
  );
  return Map.groupBy(rows, (row) => row.productId);
}
