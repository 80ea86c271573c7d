import { AppError, invalidInput } from "../../model/errors.ts";
import type { Operation } from "../../access/operation.ts";
import { parseInput } from "../../validation/input.ts";
import { editProduct, type Edit, type LockedProduct } from "../edits/edit-product.ts";
import { insertVariants, newVariant } from "../insert-product.ts";
import { MAX_VARIANTS, productSchemas, type NewVariantInput, type UpdateVariantInput } from "../product.inputs.ts";
import { assignChanged } from "../../validation/changes.ts";
import { variantTitle, findValuesIssue, findVariantIssues, valuesKey } from "../options.ts";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { describeChange } from "../../audit/record-audit.ts";
import { isId, newId } from "../../model/ids.ts";
import { StockChange, StockReason } from "../../model/products/stock-change.entity.ts";
import { kysely } from "../../queries/database.ts";
import { changeMetadata, writeMetadata } from "../../queries/metadata.sql.ts";
import { idIn } from "../../queries/row-key.ts";
import type { Variant } from "../../model/products/product.entity.ts";

/**
 * Adds a variant after the others of a product with options, and records `product.updated`.
 *
 * @param options.isImported whether its stock may be oversold
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, VERSION_CONFLICT; INVALID_STATE when the product cannot have another
 * variant
 */
export async function createVariant(
  operation: Operation,
  productId: string,
  request: NewVariantInput,
  { expectedVersion, isImported = false }: { expectedVersion?: number | null; isImported?: boolean } = {},
): Promise<void> {
  const { newVariant: schema, importVariant } = productSchemas(operation.shop);
  const input = parseInput(isImported ? importVariant : schema, request);
  await editProduct(operation, { productId, expectedVersion }, async (open) => {
    const { product, variants, at } = open;
    checkRoom(open);
    checkOptionValues(open, input.optionValues);
    const last = variants.at(-1)?.position ?? 0;
    const fields = newVariant(product, last + 1, input);
    const { shopId, id } = product;
    await insertVariants(open.em, { shopId, id, createdBy: operation.actor.id, createdAt: at }, [fields]);
    await writeMetadata(open.em, shopId, fields);
    variants.push({ ...fields, product, createdAt: at, updatedAt: at });
    return { changed: ["variants"], details: { createdVariantId: fields.id } };
  });
}

function checkRoom({ product, variants }: LockedProduct): void {
  if (product.optionNames.length === 0) {
    throw new AppError("INVALID_STATE", "A product without options can have only one variant", {
      hint: "Create a product with options instead.",
    });
  }
  if (variants.length >= MAX_VARIANTS) {
    throw new AppError("INVALID_STATE", `A product can have at most ${MAX_VARIANTS} variants`);
  }
}

/**
 * Updates the given fields of a variant, and records `product.updated` if something changed. Returns the product's id.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; VERSION_CONFLICT for the product's version
 */
export async function updateVariant(
  operation: Operation,
  id: string,
  request: UpdateVariantInput,
  expectedVersion?: number | null,
): Promise<string> {
  const { metadata, ...input } = parseInput(productSchemas(operation.shop).updateVariant, request);
  return editVariant(operation, { variantId: id, expectedVersion }, async (variant, open) => {
    const { optionValues } = input;
    if (optionValues) checkOptionValues(open, optionValues, variant);
    const title = optionValues && variantTitle(optionValues);
    const { fields, before } = assignChanged(variant, { ...input, title });
    const changed = [...fields, ...(await changeMetadata(open.em, variant, metadata))];
    if (changed.length === 0) return null;
    variant.updatedAt = open.at;
    if (!variant.isStockTracked && variant.inventoryQuantity !== 0) {
      clearStock(operation, variant, open);
      changed.push("inventoryQuantity" as never);
    }
    return { changed, details: { variantId: id, fields: changed.join(", "), ...describeChange(before, variant) } };
  });
}

/** Sets the stock to 0, since it is no longer tracked. */
function clearStock({ actor }: Operation, variant: Variant, { em, product, at }: LockedProduct): void {
  const { shopId, id, inventoryQuantity } = variant;
  em.create(StockChange, {
    shopId,
    id: newId("stk"),
    productId: product.id,
    variantId: id,
    orderId: null,
    reason: StockReason.CORRECTED,
    note: null,
    delta: -inventoryQuantity,
    quantityAfter: 0,
    actorId: actor.id,
    createdAt: at,
  });
  variant.inventoryQuantity = 0;
}

/**
 * Sets the option values of several variants together, so that they can exchange them, and records `product.updated`.
 *
 * @param values by the variant's id
 * @throws AppError VALIDATION_FAILED when two variants of the product have the same values; NOT_FOUND
 */
export async function setOptionValues(
  operation: Operation,
  productId: string,
  values: ReadonlyMap<string, string[]>,
): Promise<void> {
  await editProduct(operation, { productId }, ({ product, variants, at }) => {
    for (const variant of variants.filter(({ id }) => values.has(id))) {
      variant.optionValues = values.get(variant.id)!;
      variant.title = variantTitle(variant.optionValues);
      variant.updatedAt = at;
    }
    const issues = findVariantIssues(product.optionNames, variants);
    if (issues.length > 0) throw invalidInput(issues.map(({ path, ...issue }) => ({ ...issue, path: path.join(".") })));
    const details = { fields: "optionValues, title", variantIds: [...values.keys()].join(", ") };
    return { changed: ["optionValues", "title"], details };
  });
}

/**
 * Deletes a variant and records `product.updated`. Orders and the stock history stay. Returns the product's id.
 *
 * @throws AppError NOT_FOUND; VERSION_CONFLICT for the product's version; INVALID_STATE for the last variant
 */
export async function deleteVariant(
  operation: Operation,
  id: string,
  expectedVersion?: number | null,
): Promise<string> {
  return editVariant(operation, { variantId: id, expectedVersion }, (variant, open) => {
    if (open.variants.length === 1) {
      throw new AppError("INVALID_STATE", "A product must have at least one variant", {
        hint: "Delete the product instead.",
      });
    }
    open.variants.splice(open.variants.indexOf(variant), 1);
    open.em.remove(variant);
    return { changed: ["variants"], details: { deletedVariantId: id } };
  });
}

export interface VariantToEdit {
  variantId: string;
  /** Of the product. */
  expectedVersion?: number | null;
}

/** Edits the product of a variant, as `editProduct` does. Returns the product's id. */
export async function editVariant(
  operation: Operation,
  { variantId, expectedVersion }: VariantToEdit,
  edit: (variant: Variant, open: LockedProduct) => ReturnType<Edit>,
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
