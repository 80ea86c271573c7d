import { AppError } from "../../model/errors.ts";
import type { Operation } from "../../access/operation.ts";
import { parseInput } from "../../validation/input.ts";
import { editProduct, type LockedProduct } from "../edits/edit-product.ts";
import { checkOptionValues } from "./edit-variant.ts";
import { insertVariants } from "../insert-product.ts";
import { newVariant } from "../new-variant.ts";
import { MAX_VARIANTS, productSchemas, type NewVariantInput } from "../product.inputs.ts";

/**
 * Adds a variant after the others of a product with options, and records `product.updated`.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, VERSION_CONFLICT; INVALID_STATE when the product cannot have another
 * variant
 */
export async function createVariant(
  operation: Operation,
  productId: string,
  request: NewVariantInput,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(productSchemas(operation.shop).newVariant, request);
  await editProduct(operation, { productId, expectedVersion }, async (open) => {
    const { product, variants, at } = open;
    checkRoom(open);
    checkOptionValues(open, input.optionValues);
    const last = variants.at(-1)?.position ?? 0;
    const fields = newVariant(product, last + 1, input);
    const { shopId, id } = product;
    await insertVariants(open.em, { shopId, id, createdBy: operation.actor.id, createdAt: at }, [fields]);
    variants.push({ ...fields, product, createdAt: at, updatedAt: at });
    return { createdVariantId: fields.id };
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
