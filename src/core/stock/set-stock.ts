import { z } from "zod";
import { AppError } from "../model/errors.ts";
import type { Operation } from "../access/operation.ts";
import { databaseTime } from "../queries/database-time.ts";
import { text } from "../model/text.ts";
import { parseInput } from "../validation/input.ts";
import type { Changed } from "../products/edits/change-each-product.ts";
import { lockVariants, writeStock } from "./change-stock.ts";
import { variantNotFound } from "../products/variants/edit-variant.ts";
import { MAX_NOTE_LENGTH, MAX_QUANTITY, type StockChange } from "../model/products/stock-change.entity.ts";
import { StockAdjustmentReason, stockReason } from "./stock-reason.ts";

const setStockSchema = z.strictObject({
  variantId: z.string(),
  quantity: z.int().min(0).max(MAX_QUANTITY),
  expectedQuantity: z.int().nullable().default(null),
  reason: z.enum(StockAdjustmentReason).default(StockAdjustmentReason.COUNTED),
  note: text({ max: MAX_NOTE_LENGTH }).nullable().default(null),
});

export type SetStockRequest = z.input<typeof setStockSchema>;

/**
 * Sets the stock of a variant inside the given transaction. Returns the update to record. The change is null if the
 * stock stays the same.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; VERSION_CONFLICT when the expected quantity differs
 */
export async function setStock(operation: Operation, request: SetStockRequest): Promise<Changed<StockChange | null>> {
  const { variantId, quantity, expectedQuantity, reason, note } = parseInput(setStockSchema, request);
  const variant = (await lockVariants(operation, [variantId])).get(variantId);
  if (!variant) throw variantNotFound();
  const { inventoryQuantity } = variant;
  if (expectedQuantity !== null && expectedQuantity !== inventoryQuantity) {
    throw new AppError("VERSION_CONFLICT", `The stock has changed: it is not ${expectedQuantity}`, {
      hint: "Read it again and repeat your change.",
    });
  }
  const delta = quantity - inventoryQuantity;
  if (delta === 0) return { value: null, update: null };
  const cause = { reason: stockReason(reason), note, at: await databaseTime(operation.em) };
  const { changes, updates } = await writeStock(operation, [{ variant, delta }], cause);
  return { value: changes[0]!, update: updates[0]! };
}
