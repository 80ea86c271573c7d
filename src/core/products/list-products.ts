import type { Kysely } from "kysely";
import { selectList } from "../columns.ts";
import type { Database } from "../database.ts";
import { readPage, type Condition, type PageFields } from "../read-page.ts";
import type { Page, PageRequest } from "../pagination.ts";
import type { Product, ProductStatus } from "./product.entity.ts";
import { searchPatterns } from "../search.ts";

export interface ListProductsFilter extends PageRequest {
  search?: string | null;
  status?: ProductStatus | null;
}

/** The fields that are asked of a product and of its variants. Without one of a variant, variants are not read. */
export interface ProductFields {
  product: ReadonlySet<string>;
  variant: ReadonlySet<string>;
}

const columns = {
  shopId: "shop_id",
  id: "id",
  title: "title",
  handle: "handle",
  description: "description",
  status: "status",
  optionNames: "option_names",
  version: "version",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

const variantColumns = {
  id: "id",
  title: "title",
  optionValues: "option_values",
  sku: "sku",
  barcode: "barcode",
  // As JSON numbers, amounts would become binary fractions.
  price: "price::text",
  inventoryQuantity: "inventory_quantity",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

/** The select list of a product, its variants included as JSON: a statement of their own would cost as much again. */
export function productColumns(fields: ProductFields): string {
  const list = selectList(columns, fields.product, ["shopId", "id"]);
  if (fields.variant.size === 0) return list;
  return `${list}, (
    select coalesce(json_agg(variant), '[]') from (
      select ${selectList(variantColumns, fields.variant, ["id"])} from variants
      where variants.shop_id = products.shop_id and product_id = products.id order by position
    ) variant
  ) as variants`;
}

/** A shop's products, newest first. @throws AppError VALIDATION_FAILED */
export async function listProducts(
  database: Kysely<Database>,
  shopId: string,
  { search, status, ...page }: ListProductsFilter,
  fields: ProductFields & Pick<PageFields, "page">,
): Promise<Page<Product>> {
  const patterns = searchPatterns(search);
  const conditions: Condition[] = patterns.map((value) => ({ sql: "search_text like ?", value }));
  if (status) conditions.push({ sql: "status = ?", value: status });
  return readPage(database, {
    ...page,
    shopId,
    table: "products",
    columns: productColumns(fields),
    fields: fields.page,
    conditions,
    total: patterns.length > 0 ? "counted" : "maintained",
  });
}
