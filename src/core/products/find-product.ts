import type { GraphQLResolveInfo } from "graphql";
import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { findById } from "../queries/find-by-id.ts";
import { anyOf } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { selectionOf, type Selection } from "../queries/selection.ts";
import { selectProduct, selectVariant, type ShownProduct, type ShownVariant } from "./list-products.ts";

/** Finds a product. Undefined when this shop has none with this id. */
export async function findProduct(
  em: EntityManager,
  shopId: string,
  id: string,
  selection: Selection,
): Promise<ShownProduct | undefined> {
  return findById(kysely(em), "products", { shopId, id }, selection.name, () => selectProduct(em, selection));
}

/**
 * Reads the selected fields of a changed product, for a mutation's answer.
 *
 * @throws AppError NOT_FOUND when it was deleted right after
 */
export async function readProduct(
  em: EntityManager,
  shopId: string,
  id: string,
  info: GraphQLResolveInfo,
): Promise<ShownProduct> {
  const product = await findProduct(em, shopId, id, selectionOf(info));
  if (!product) throw new AppError("NOT_FOUND", "Product not found");
  return product;
}

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

/** Finds a variant. Undefined when this shop has none with this id. */
export async function findVariant(
  em: EntityManager,
  shopId: string,
  id: string,
  selection: Selection,
): Promise<ShownVariant | undefined> {
  return findById(kysely(em), "variants", { shopId, id }, selection.name, () => selectVariant(em, selection));
}
