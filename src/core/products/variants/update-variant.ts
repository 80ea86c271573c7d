import type { EntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import { assignChanged } from "../../validation/assign-changed.ts";
import { parseInput } from "../../validation/input.ts";
import type { Shop } from "../../shops/shop.entity.ts";
import { checkOptionValues, editVariant } from "./edit-variant.ts";
import { variantTitle } from "./options.ts";
import { productSchemas, type ProductSchemas } from "../product-schemas.ts";

/**
 * Changes what is given of a variant, and records `product.updated` when it was something else before. Returns
 * the product's id.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; VERSION_CONFLICT for the product's version
 */
export async function updateVariant(
  em: EntityManager,
  shop: Shop,
  id: string,
  request: z.input<ProductSchemas["updateVariant"]>,
  expectedVersion?: number | null,
): Promise<string> {
  const input = parseInput(productSchemas(shop.currency).updateVariant, request);
  return editVariant(em, { shopId: shop.id, variantId: id, expectedVersion }, (variant, open) => {
    const { optionValues } = input;
    if (optionValues) checkOptionValues(open, optionValues, variant);
    const changed = assignChanged(variant, { ...input, title: optionValues && variantTitle(optionValues) });
    if (changed) variant.updatedAt = open.at;
    return changed;
  });
}
