import type { Kysely } from "kysely";
import { selectList } from "../columns.ts";
import type { Database } from "../database.ts";
import { readNewestPage, type Condition } from "../newest-page.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { loadVariants } from "./load-variants.ts";
import type { Product, ProductStatus } from "./product.entity.ts";
import { searchPatterns } from "./search-text.ts";

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
  createdAt: "created_at",
  updatedAt: "updated_at",
};

/** The select list of a product. */
export function productColumns(fields: ReadonlySet<string>): string {
  return selectList(columns, fields, ["shopId", "id"]);
}

/** A shop's products, newest first. @throws AppError VALIDATION_FAILED */
export async function listProducts(
  database: Kysely<Database>,
  shopId: string,
  { search, status, ...page }: ListProductsFilter,
  fields: ProductFields,
): Promise<Page<Product>> {
  const patterns = searchPatterns(search);
  const conditions: Condition[] = patterns.map((value) => ({ sql: "search_text like ?", value }));
  if (status) conditions.push({ sql: "status = ?", value: status });
  const { items, total } = await readNewestPage<Product>(database, {
    ...page,
    shopId,
    table: "products",
    columns: productColumns(fields.product),
    conditions,
    total: patterns.length > 0 ? "counted" : "maintained",
  });
  if (fields.variant.size === 0 || items.length === 0) return { items, total };
  const variants = await loadVariants(database, shopId, items, fields.variant);
  for (const item of items) item.variants = variants.get(item.id) ?? [];
  return { items, total };
}
