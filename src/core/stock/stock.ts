import { type StockReason, MAX_NOTE_LENGTH, MAX_QUANTITY } from "../model/products/stock-change.entity.ts";
import { enumType } from "../model/enum-type.ts";
import { z } from "zod";
import { AppError, invalidInput } from "../model/errors.ts";
import type { Operation } from "../access/operation.ts";
import { databaseTime } from "../queries/database-time.ts";
import { text } from "../model/text.ts";
import { parseInput } from "../validation/input.ts";
import type { Changed } from "../products/edits/change-each-product.ts";
import { lockVariants, writeStock, type LockedVariant, type WrittenStock } from "./change-stock.ts";
import { variantNotFound } from "../products/variants/variants.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";

/** The reasons that staff and services can give. The service sets the others itself. */
export const StockAdjustmentReason = enumType(
  "StockAdjustmentReason",
  "The reason for a stock change by staff or a service.",
  {
    RECEIVED: "Goods were received.",
    COUNTED: "Result of a stocktake.",
    DAMAGED: "Units were damaged.",
    LOST: "Units were lost.",
    CORRECTED: "Correction of an earlier change.",
    RETURNED: "A customer returned units.",
  },
);
export type StockAdjustmentReason = keyof typeof StockAdjustmentReason;

/** Converts the reason for the stock history. */
export function stockReason(reason: StockAdjustmentReason): StockReason {
  return reason as `${StockAdjustmentReason}` as StockReason;
}

const setStockSchema = z.strictObject({
  variantId: z.string(),
  quantity: z.int().min(-MAX_QUANTITY).max(MAX_QUANTITY),
  expectedQuantity: z.int().nullable().default(null),
  reason: z.enum(StockAdjustmentReason).default(StockAdjustmentReason.COUNTED),
  note: text({ max: MAX_NOTE_LENGTH }).nullable().default(null),
});

export type SetStockRequest = z.input<typeof setStockSchema>;

/**
 * Sets the stock of a variant inside the given transaction. Returns the id of the change, which is null if the stock
 * stays the same, and the update to record.
 *
 * @param lowest the lowest quantity: below 0 for the oversold stock of an import
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; INVALID_STATE when its stock is not tracked; VERSION_CONFLICT when the
 * expected quantity differs
 */
export async function setStock(
  operation: Operation,
  request: SetStockRequest,
  lowest = 0,
): Promise<Changed<string | null>> {
  const { variantId, quantity, expectedQuantity, reason, note } = parseInput(setStockSchema, request);
  if (quantity < lowest) {
    throw invalidInput([{ path: "quantity", code: "too_small", message: `Must be at least ${lowest}` }]);
  }
  const variant = requireTracked((await lockVariants(operation, [variantId])).get(variantId));
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
  return { value: changes[0]!.id, update: updates[0]! };
}

/** @throws AppError NOT_FOUND; INVALID_STATE when its stock is not tracked */
function requireTracked(variant: LockedVariant | undefined): LockedVariant {
  if (!variant) throw variantNotFound();
  if (variant.isStockTracked) return variant;
  const hint = "Set Variant.isStockTracked first.";
  throw new AppError("INVALID_STATE", "The stock of this variant is not tracked", { hint });
}

const adjustStockSchema = z.strictObject({
  variantId: z.string(),
  delta: z
    .int()
    .min(-MAX_QUANTITY)
    .max(MAX_QUANTITY)
    .refine((delta) => delta !== 0, { error: "Must not be 0", params: { code: "invalid_value" } }),
  reason: z.enum(StockAdjustmentReason),
  note: text({ max: MAX_NOTE_LENGTH }).nullable().default(null),
});

export type AdjustStockRequest = z.input<typeof adjustStockSchema>;

/**
 * Adds units to the stock of a variant or removes them, inside the given transaction. Returns the id of the change and
 * the update to record.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; INSUFFICIENT_STOCK when stock would become negative in a shop without
 * overselling; CONFLICT while the same idempotency key is in use
 */
export async function adjustStock(
  operation: Operation,
  request: AdjustStockRequest,
  claim?: IdempotencyClaim,
): Promise<Changed<string>> {
  const { em, shop } = operation;
  const input = parseInput(adjustStockSchema, request);
  const once = { shopId: shop.id, claim, operation: "adjustStock", input };
  const { variantId, delta, reason, note } = input;
  // Before the key is claimed, to prevent deadlocks: a request could hold a key and wait for the product while another
  // does the reverse.
  const variant = (await lockVariants(operation, [variantId])).get(variantId);
  let written: WrittenStock | undefined;
  const id = await runIdempotent(em, once, async () => {
    const cause = { reason: stockReason(reason), note, at: await databaseTime(em) };
    written = await writeStock(operation, [{ variant: requireTracked(variant), delta }], cause);
    return written.changes[0]!.id;
  });
  return { value: id, update: written?.updates[0] ?? null };
}
