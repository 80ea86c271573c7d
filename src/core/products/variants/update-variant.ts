import type { Operation } from "../../access/operation.ts";
import { assignChanged } from "../../validation/assign-changed.ts";
import { parseInput } from "../../validation/input.ts";
import { checkOptionValues, editVariant } from "./edit-variant.ts";
import { variantTitle } from "../options.ts";
import { productSchemas, type UpdateVariantInput } from "../product.inputs.ts";

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
  const input = parseInput(productSchemas(operation.shop).updateVariant, request);
  return editVariant(operation, { variantId: id, expectedVersion }, (variant, open) => {
    const { optionValues } = input;
    if (optionValues) checkOptionValues(open, optionValues, variant);
    const { price } = variant;
    const fields = assignChanged(variant, { ...input, title: optionValues && variantTitle(optionValues) });
    if (fields.length === 0) return null;
    variant.updatedAt = open.at;
    const prices = fields.includes("price") && { oldPrice: price, price: variant.price };
    return { variantId: id, fields: fields.join(", "), ...prices };
  });
}
