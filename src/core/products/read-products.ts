import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ArgsType } from "type-graphql";
import {
  columnsOf,
  conditionsOf,
  jsonRows,
  selectFields,
  type InJson,
  type Select,
  type Shown,
} from "../queries/columns.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { argumentsOf, field, nullable } from "../model/fields.ts";
import { recordArguments, type Page } from "../model/page.ts";
import { ProductSort, ProductStatus } from "../model/products/product.enums.ts";
import { Product, Variant } from "../model/products/product.entity.ts";
import { SEARCH_RULE, searchOf } from "../queries/search.ts";
import { productSearchTerm } from "./search-words.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { answerOf, finderOf, findersOf } from "../queries/find-by-id.ts";
import { metadataOf } from "../queries/metadata.sql.ts";

@ArgsType()
export class ListProductsArgs extends argumentsOf({
  ...recordArguments,
  search: nullable(
    String,
    `Beginnings of words of the title or handle, of SKUs or parts of them, or of barcodes, also without leading zeros. ${SEARCH_RULE}`,
  ),
  status: nullable(ProductStatus, "Only products with this status."),
  handle: nullable(String, "Only the product with this handle."),
  createdSince: nullable(TimestampScalar, "Only products created at or after this time."),
  updatedSince: nullable(TimestampScalar, "Only products changed at or after this time, including changes to stock."),
  sort: field(ProductSort, "The field to sort by.", { defaultValue: ProductSort.CREATED_AT }),
}) {}

/** A product with the selected fields. */
export type ShownProduct = Shown<Omit<Product, "variants"> & { variants: InJson<ShownVariant>[] }, "shopId" | "id">;
export type ShownVariant = Shown<Variant, "id">;

/** SQL: the product of a variant, whose entity refers to it, and the selected metadata. */
const partsOfVariant = (em: EntityManager, selection: Pick<Selection, "fields">) => ({
  productId: sql.ref<string>("product_id"),
  ...metadataOf(em, "variants.id", selection),
});

/** Selects the fields of a variant. */
export function selectVariant(em: EntityManager, selection: Pick<Selection, "fields">): Select<ShownVariant> {
  return selectFields<Variant, "id">({ ...columnsOf(em, Variant), ...partsOfVariant(em, selection) }, selection, [
    "id",
  ]);
}

/** Selects the fields of a product. */
function selectProduct(em: EntityManager, selection: Selection): Select<ShownProduct> {
  const { fields } = selection.at("variants");
  const on = "product_id = products.id";
  const variants = jsonRows(em, Variant, {
    on,
    order: "position",
    selection: { fields },
    always: ["id"],
    others: partsOfVariant(em, { fields }),
  });
  const columns = { ...columnsOf(em, Product), variants, ...metadataOf(em, "products.id", selection) };
  return selectFields<ShownProduct, "shopId" | "id">(columns, selection, ["shopId", "id"]);
}

/** Lists a shop's products, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listProducts(
  em: EntityManager,
  shopId: string,
  { search, status, handle, createdSince, ...page }: Omit<ListProductsArgs, "sort"> & { sort: ProductSort | "handle" },
  selection: Selection,
): Promise<Page<ShownProduct>> {
  const others = conditionsOf<"products">(
    ["handle", "=", handle?.normalize("NFC")],
    ["created_at", ">=", createdSince],
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
export const findProducts = findersOf("products", selectProduct);
