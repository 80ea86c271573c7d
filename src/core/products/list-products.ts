import type { Kysely, SelectQueryBuilder } from "kysely";
import { countRecords } from "../count-records.ts";
import type { Database } from "../database.ts";
import { checkPage, type Page, type PageRequest } from "../pagination.ts";
import type { Product, ProductStatus } from "./product.entity.ts";
import { searchPatterns } from "./search-text.ts";

export interface ListProductsFilter extends PageRequest {
  search?: string | null;
  status?: ProductStatus | null;
}

export const productColumns = [
  "shop_id as shopId",
  "id",
  "title",
  "handle",
  "description",
  "status",
  "created_at as createdAt",
  "updated_at as updatedAt",
] as const;

/** A shop's products, newest first. */
export async function listProducts(
  database: Kysely<Database>,
  shopId: string,
  filter: ListProductsFilter,
): Promise<Page<Product>> {
  checkPage(filter);
  const patterns = searchPatterns(filter.search);
  const matching = <Output>(query: SelectQueryBuilder<Database, "products", Output>) => {
    let narrowed = query.where("shop_id", "=", shopId);
    if (filter.status) narrowed = narrowed.where("status", "=", filter.status);
    for (const pattern of patterns) narrowed = narrowed.where("search_text", "like", pattern);
    return narrowed;
  };
  // Found on the index alone, so that a deep page does not fetch the rows that it skips.
  const ids = matching(database.selectFrom("products"))
    .select("id")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit);
  const [items, total] = await Promise.all([
    database
      .selectFrom("products")
      .select(productColumns)
      .where("shop_id", "=", shopId)
      .where("id", "in", ids)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute(),
    patterns.length > 0
      ? countMatching(matching(database.selectFrom("products")))
      : countRecords(database, shopId, "products", filter.status ?? undefined),
  ]);
  return { items: items as Product[], total };
}

async function countMatching(query: SelectQueryBuilder<Database, "products", unknown>): Promise<number> {
  const { total } = await query.select((eb) => eb.fn.countAll<string>().as("total")).executeTakeFirstOrThrow();
  return Number(total);
}
