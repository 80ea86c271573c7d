import type { Operation } from "../../access/operation.ts";
import { AppError } from "../../model/errors.ts";
import { editVariant } from "./edit-variant.ts";

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
    return { deletedVariantId: id };
  });
}
