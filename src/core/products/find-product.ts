import type { GraphQLResolveInfo } from "graphql";
import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import { kysely, runStatement } from "../queries/database.ts";
import { requestedFields } from "../queries/requested-fields.ts";
import { productColumns, variantColumns, type ProductFields } from "./list-products.ts";
import type { Product, Variant } from "../model/products/product.entity.ts";

/** The product, or undefined when this shop has none with this id. */
export async function findProduct(
  em: EntityManager,
  shopId: string,
  id: string,
  fields: ProductFields,
): Promise<Product | undefined> {
  if (!isId(id)) return undefined;
  const text = `select ${productColumns(em, fields)} from products where shop_id = $1 and id = $2`;
  const [product] = await runStatement<Product>(kysely(em), text, [shopId, id]);
  return product;
}

/**
 * The product as the mutation that changed it answers with it: the fields that the answer is asked for.
 *
 * @throws AppError NOT_FOUND when it was deleted right after
 */
export async function readProduct(
  em: EntityManager,
  shopId: string,
  id: string,
  info: GraphQLResolveInfo,
): Promise<Product> {
  const fields = { product: requestedFields(info), variant: requestedFields(info, "variants") };
  const product = await findProduct(em, shopId, id, fields);
  if (!product) throw new AppError("NOT_FOUND", "Product not found");
  return product;
}

/** The products that this shop has among these ids. */
export async function findProducts(
  em: EntityManager,
  shopId: string,
  ids: readonly string[],
  fields: ProductFields,
): Promise<Map<string, Product>> {
  const text = `select ${productColumns(em, fields)} from products where shop_id = $1 and id = any($2)`;
  const products = await runStatement<Product>(kysely(em), text, [shopId, ids]);
  return new Map(products.map((product) => [product.id, product]));
}

/** The variant, or undefined when this shop has none with this id. */
export async function findVariant(
  em: EntityManager,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<Variant | undefined> {
  if (!isId(id)) return undefined;
  const text = `select ${variantColumns(em, fields)} from variants where shop_id = $1 and id = $2`;
  const [variant] = await runStatement<Variant>(kysely(em), text, [shopId, id]);
  return variant;
}
