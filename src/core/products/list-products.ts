import type { EntityManager } from "@mikro-orm/postgresql";
import { expressionBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import {
  columnsOf,
  conditionsOf,
  selectFields,
  shopParameter,
  type InJson,
  type Select,
  type Shown,
} from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { readPage } from "../queries/list-query.ts";
import type { Database } from "../model/tables.ts";
import type { Selection } from "../queries/selection.ts";
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

/** A product with the selected fields. */
export type ShownProduct = Shown<Omit<Product, "variants"> & { variants: InJson<ShownVariant>[] }, "shopId" | "id">;
export type ShownVariant = Shown<Variant, "id">;

/** Selects the fields of a variant. */
export function selectVariant(em: EntityManager, selection: Selection): Select<ShownVariant> {
  // As JSON numbers, amounts would become binary fractions.
  const own = { productId: sql.ref<string>("product_id"), price: sql<string>`price::text` };
  return selectFields<Variant, "id">({ ...columnsOf(em, Variant), ...own }, selection, ["id"]);
}

/** Selects the fields of a product, with its variants as JSON: a separate statement would double the cost. */
export function selectProduct(em: EntityManager, selection: Selection): Select<ShownProduct> {
  const variants = expressionBuilder<Database, "products">()
    .selectFrom("variants")
    .select(selectVariant(em, selection.at("variants")))
    .where("variants.shop_id", "=", shopParameter)
    .whereRef("product_id", "=", "products.id")
    .orderBy("position");
  const columns = { ...columnsOf(em, Product), variants: jsonArrayFrom(variants) };
  return selectFields<ShownProduct, "shopId" | "id">(columns, selection, ["shopId", "id"]);
}

/** Lists a shop's products, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listProducts(
  em: EntityManager,
  shopId: string,
  { search, status, handle, createdSince, updatedSince, ...page }: ListProductsFilter,
  selection: Selection,
): Promise<Page<ShownProduct>> {
  const others = [
    ...searchConditions(search, productSearchParts),
    ...conditionsOf<"products">(
      ["handle", "=", handle?.normalize("NFC")],
      ["created_at", ">=", createdSince],
      ["updated_at", ">=", updatedSince],
    ),
  ];
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "products",
    select: selectProduct(em, selection.at("items")),
    selection,
    conditions: [...others, ...conditionsOf<"products">(["status", "=", status])],
    texts: { search, handle },
    // The maintained totals are by status only.
    total: others.length > 0 ? "counted" : "maintained",
  });
}
