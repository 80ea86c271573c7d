import { inTransaction, type Operation } from "../../access/operation.ts";
import { describeChange } from "../../audit/record-audit.ts";
import { invalidInput } from "../../model/errors.ts";
import { changeMetadata } from "../../queries/metadata.sql.ts";
import { assignChanged } from "../../validation/changes.ts";
import { parseInput } from "../../validation/input.ts";
import { applyEdit, recordProductUpdated, type ProductUpdate } from "./edit-product.ts";
import { isHandleConflict, takenHandle } from "../handle.ts";
import { updateProductSchema, type UpdateProductInput } from "../product.inputs.ts";

export interface ProductChange {
  id: string;
  request: UpdateProductInput;
  /** The version that the caller last read. Any version if omitted. */
  expectedVersion?: number | null;
}

/**
 * Updates the given fields, and records `product.updated` if something changed.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, VERSION_CONFLICT
 */
export async function updateProduct(operation: Operation, change: ProductChange): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const update = await applyProductChange(inside, change);
    if (update) await recordProductUpdated(inside, update);
  });
}

/** `updateProduct` inside the given transaction. Returns the update to record. Null if nothing changed. */
export async function applyProductChange(
  operation: Operation,
  { id, request, expectedVersion }: ProductChange,
): Promise<ProductUpdate | null> {
  const { metadata, ...input } = parseInput(updateProductSchema, request);
  try {
    return await applyEdit(operation, { productId: id, expectedVersion }, async ({ em, product }) => {
      const { optionNames } = input;
      if (optionNames && optionNames.length !== product.optionNames.length) {
        const message = `Must have one name for each of the product's options: ${product.optionNames.length}`;
        throw invalidInput([{ path: "optionNames", code: "invalid_value", message }]);
      }
      const { fields, before } = assignChanged(product, input);
      const changed = [...fields, ...(await changeMetadata(em, product, metadata))];
      if (changed.length === 0) return null;
      return { changed, details: { fields: changed.join(", "), ...describeChange(before, product) } };
    });
  } catch (error) {
    if (!isHandleConflict(error)) throw error;
    throw takenHandle();
  }
}
