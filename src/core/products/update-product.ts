import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { invalidInput } from "../../platform/errors.ts";
import { assignChanged } from "../assign-changed.ts";
import { parseInput } from "../input.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { editProduct } from "./edit-product.ts";
import { isHandleConflict } from "./handle.ts";
import { productFields } from "./product-schemas.ts";

const updateProductSchema = z.strictObject(productFields).partial();

export type UpdateProductRequest = z.input<typeof updateProductSchema>;

/**
 * Changes what is given, and records `product.updated` when it was something else before.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, VERSION_CONFLICT
 */
export async function updateProduct(
  em: EntityManager,
  shop: Shop,
  id: string,
  request: UpdateProductRequest,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(updateProductSchema, request);
  try {
    await editProduct(em, { shopId: shop.id, productId: id, expectedVersion }, ({ product }) => {
      const { optionNames } = input;
      if (optionNames && optionNames.length !== product.optionNames.length) {
        const message = `Must have as many names as the product has options: ${product.optionNames.length}`;
        throw invalidInput([{ path: "optionNames", code: "invalid_value", message }]);
      }
      return assignChanged(product, input);
    });
  } catch (error) {
    if (!isHandleConflict(error)) throw error;
    throw invalidInput([{ path: "handle", code: "taken", message: "Another product of the shop has it" }]);
  }
}
