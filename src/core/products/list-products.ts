import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import type { Page, PageRequest } from "../model/page.ts";
import type { ProductSort, ProductStatus } from "../model/products/product.enums.ts";
import { Product, Variant } from "../model/products/product.entity.ts";
import { searchConditions } from "../queries/search.ts";
import { productSearchParts } from "./search-text.ts";

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

/** The select list of a variant. */
export function variantColumns(em: EntityManager, fields: ReadonlySet<string>): string {
  // As JSON numbers, amounts would become binary fractions.
  return selectList({ ...columnsOf(em, Variant), productId: "product_id", price: "price::text" }, fields, ["id"]);
}

/** The select list of a product, its variants included as JSON: a statement of their own would cost as much again. */
export function productColumns(em: EntityManager, fields: ProductFields): string {
  const list = selectList(columnsOf(em, Product), fields.product, ["shopId", "id"]);
  if (fields.variant.size === 0) return list;
  return `${list}, (
    select coalesce(json_agg(variant), '[]') from (
      select ${variantColumns(em, fields.variant)} from variants
      where variants.shop_id = products.shop_id and product_id = products.id order by position
    ) variant
  ) as variants`;
}

/** A shop's products, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listProducts(
  em: EntityManager,
  shopId: string,
  { search, status, handle, createdSince, updatedSince, ...page }: ListProductsFilter,
  fields: ProductFields & Pick<PageFields, "page">,
): Promise<Page<Product>> {
  const others = [
    ...searchConditions(search, productSearchParts),
    ...conditionsOf([
      ["handle = ?", handle?.normalize("NFC")],
      ["created_at >= ?", createdSince],
      ["updated_at >= ?", updatedSince],
    ]),
  ];
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "products",
    columns: productColumns(em, fields),
    fields: fields.page,
    conditions: [...others, ...conditionsOf([["status = ?", status]])],
    texts: { search, handle },
    // The maintained totals know of the status alone.
    total: others.length > 0 ? "counted" : "maintained",
  });
}
