import type { Kysely } from "kysely";
import { selectList } from "../queries/columns.ts";
import type { Database } from "../queries/database.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import type { Page, PageRequest } from "../queries/pagination.ts";
import type { ProductSort, ProductStatus } from "./product.enums.ts";
import type { Product } from "./product.entity.ts";
import { searchConditions } from "../queries/search.ts";

export interface ListProductsFilter extends PageRequest {
  search?: string | null;
  status?: ProductStatus | null;
  handle?: string | null;
  createdSince?: Date | null;
  updatedSince?: Date | null;
  sort?: ProductSort;
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

export const variantColumns = {
  id: "id",
  productId: "product_id",
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

/** A shop's products, newest first unless told. @throws AppError VALIDATION_FAILED */
export async function listProducts(
  database: Kysely<Database>,
  shopId: string,
  { search, status, handle, createdSince, updatedSince, ...page }: ListProductsFilter,
  fields: ProductFields & Pick<PageFields, "page">,
): Promise<Page<Product>> {
  const others = [
    ...searchConditions(search),
    ...conditionsOf([
      ["handle = ?", handle],
      ["created_at >= ?", createdSince],
      ["updated_at >= ?", updatedSince],
    ]),
  ];
  return readPage(database, {
    ...page,
    shopId,
    table: "products",
    columns: productColumns(fields),
    fields: fields.page,
    conditions: [...others, ...conditionsOf([["status = ?", status]])],
    texts: { search, handle },
    // The maintained totals know of the status alone.
    total: others.length > 0 ? "counted" : "maintained",
  });
}
