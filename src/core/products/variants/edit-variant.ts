import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { Operation } from "../../access/operation.ts";
import type { AuditDetails } from "../../audit/record-audit.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { kysely } from "../../queries/database.ts";
import { idIn } from "../../queries/row-key.ts";
import { editProduct, type LockedProduct } from "../edits/edit-product.ts";
import { findValuesIssue, valuesKey } from "../options.ts";
import type { Variant } from "../../model/products/product.entity.ts";

export interface VariantToEdit {
  variantId: string;
  /** Of the product. */
  expectedVersion?: number | null;
}

/** Edits the product of a variant, as `editProduct` does. Returns the product's id. */
export async function editVariant(
  operation: Operation,
  { variantId, expectedVersion }: VariantToEdit,
  edit: (variant: Variant, open: LockedProduct) => AuditDetails | null,
): Promise<string> {
  const productId = await findProductId(operation, variantId);
  await editProduct(operation, { productId, expectedVersion }, (open) => {
    // The variant may have been deleted before the product was locked.
    const variant = open.variants.find((candidate) => candidate.id === variantId);
    if (!variant) throw variantNotFound();
    return edit(variant, open);
  });
  return productId;
}

async function findProductId({ em, shop }: Operation, variantId: string): Promise<string> {
  const productId = (await findProductIds(em, shop.id, [variantId])).get(variantId);
  if (productId === undefined) throw variantNotFound();
  return productId;
}

/** Finds the products of variants by the variants' ids. Needs no lock, because a variant never changes its product. */
export async function findProductIds(
  em: EntityManager,
  shopId: string,
  variantIds: readonly string[],
): Promise<Map<string, string>> {
  const keys = variantIds.filter((id) => isId(id)).map((id) => ({ shopId, id }));
  const rows = await kysely(em)
    .selectFrom("variants")
    .select(["id", sql<string>`product_id`.as("productId")])
    .where("shop_id", "=", shopId)
    .where("id", "=", idIn(keys))
    .execute();
  return new Map(rows.map(({ id, productId }) => [id, productId]));
}

export function variantNotFound(): AppError {
  return new AppError("NOT_FOUND", "Variant not found");
}

/** @throws AppError VALIDATION_FAILED when the values do not fit the product's options, or another variant has them */
export function checkOptionValues(
  { product, variants }: LockedProduct,
  optionValues: readonly string[],
  own?: Variant,
): void {
  const others = new Set(variants.filter((variant) => variant !== own).map((other) => valuesKey(other.optionValues)));
  const issue = findValuesIssue(product.optionNames, others, optionValues);
  if (issue) throw invalidInput([{ path: issue.path.join("."), code: issue.code, message: issue.message }]);
}
