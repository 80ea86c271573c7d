import { z } from "zod";
import type { Operation } from "../access/operation.ts";
import { databaseTime } from "../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { text } from "../model/text.ts";
import { parseInput } from "../validation/input.ts";
import type { Changed } from "../products/edits/change-each-product.ts";
import { lockVariants, writeStock, type WrittenStock } from "./change-stock.ts";
import { variantNotFound } from "../products/variants/edit-variant.ts";
import { MAX_NOTE_LENGTH, MAX_QUANTITY, StockChange } from "../model/products/stock-change.entity.ts";
import { StockAdjustmentReason, stockReason } from "./stock-reason.ts";

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
 * Adds units to the stock of a variant or removes them, inside the given transaction. Returns the update to record.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; INSUFFICIENT_STOCK when stock would become negative in a shop without
 * overselling; CONFLICT while the same idempotency key is in use
 */
export async function adjustStock(
  operation: Operation,
  request: AdjustStockRequest,
  claim?: IdempotencyClaim,
): Promise<Changed<StockChange>> {
  const { em, shop } = operation;
  const input = parseInput(adjustStockSchema, request);
  const once = { shopId: shop.id, claim, operation: "adjustStock", input };
  const { variantId, delta, reason, note } = input;
  // Before the key is claimed, to prevent deadlocks: a request could hold a key and wait for the product while another
  // does the reverse.
  const variant = (await lockVariants(operation, [variantId])).get(variantId);
  let written: WrittenStock | undefined;
  const id = await runIdempotent(em, once, async () => {
    if (!variant) throw variantNotFound();
    const cause = { reason: stockReason(reason), note, at: await databaseTime(em) };
    written = await writeStock(operation, [{ variant, delta }], cause);
    return written.changes[0]!.id;
  });
  if (written) return { value: written.changes[0]!, update: written.updates[0]! };
  return {
    value: await em.findOneOrFail(StockChange, { shopId: shop.id, id }, { disableIdentityMap: true }),
    update: null,
  };
}
