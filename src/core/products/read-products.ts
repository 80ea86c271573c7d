import type { EntityManager } from "@mikro-orm/postgresql";
import { expressionBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { ArgsType, Field } from "type-graphql";
import {
  columnsOf,
  conditionsOf,
  selectFields,
  shopParameter,
  anyOf,
  type InJson,
  type Select,
  type Shown,
} from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { readPage } from "../queries/list.ts";
import type { Database } from "../model/tables.ts";
import type { Selection } from "../queries/selection.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { ProductSort, ProductStatus } from "../model/products/product.enums.ts";
import { Product, Variant } from "../model/products/product.entity.ts";
import { SEARCH_RULE, searchOf } from "../queries/search.ts";
import { productSearchTerm } from "./search-words.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { answerOf, finderOf } from "../queries/find-by-id.ts";

@ArgsType()
export class ListProductsArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: `Beginnings of words of the title or handle, of SKUs or parts of them, or of barcodes, also without leading zeros. ${SEARCH_RULE}`,
  })
  search?: string | null;

  @Field(() => ProductStatus, { nullable: true, description: "Only products with this status." })
  status?: ProductStatus | null;

  @Field(() => String, { nullable: true, description: "Only the product with this handle." })
  handle?: string | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only products created at or after this time." })
  createdSince?: Date | null;

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "Only products changed at or after this time, including changes to stock.",
  })
  updatedSince?: Date | null;

  @Field(() => ProductSort, { defaultValue: ProductSort.CREATED_AT, description: "The field to sort by." })
  sort!: ProductSort;
}

/** A product with the selected fields. */
export type ShownProduct = Shown<Omit<Product, "variants"> & { variants: InJson<ShownVariant>[] }, "shopId" | "id">;
export type ShownVariant = Shown<Variant, "id">;

/** Selects the fields of a variant. */
export function selectVariant(em: EntityManager, selection: Pick<Selection, "fields">): Select<ShownVariant> {
  // As JSON numbers, amounts would become binary fractions.
  const own = { productId: sql.ref<string>("product_id"), price: sql<string>`price::text` };
  return selectFields<Variant, "id">({ ...columnsOf(em, Variant), ...own }, selection, ["id"]);
}

/** Selects the fields of a product, with its variants as JSON: a separate statement would double the cost. */
function selectProduct(em: EntityManager, selection: Selection): Select<ShownProduct> {
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
  {
    search,
    status,
    handle,
    createdSince,
    updatedSince,
    ...page
  }: Omit<ListProductsArgs, "sort"> & { sort: ProductSort | "handle" },
  selection: Selection,
): Promise<Page<ShownProduct>> {
  const others = conditionsOf<"products">(
    ["handle", "=", handle?.normalize("NFC")],
    ["created_at", ">=", createdSince],
    ["updated_at", ">=", updatedSince],
  );
  return readPage(em, {
    ...page,
    shopId,
    table: "products",
    select: selectProduct,
    selection,
    search: searchOf(shopId, search, productSearchTerm),
    conditions: [...others, ...conditionsOf<"products">(["status", "=", status])],
    texts: { search, handle },
    // The maintained totals are by status only.
    total: others.length > 0 ? "counted" : "maintained",
  });
}

export const findProduct = finderOf("products", selectProduct);
export const findVariant = finderOf("variants", selectVariant);

export const answerProduct = answerOf("Product", findProduct);

/** Finds the products of this shop with these ids. */
export async function findProducts(
  em: EntityManager,
  shopId: string,
  ids: readonly string[],
  selection: Selection,
): Promise<Map<string, ShownProduct>> {
  const products = await kysely(em)
    .selectFrom("products")
    .select(selectProduct(em, selection))
    .where("shop_id", "=", shopId)
    .where("id", "=", anyOf(ids))
    .execute();
  return new Map(products.map((product) => [product.id, product]));
}
