import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { databaseTime } from "../database-time.ts";
import { runOnce } from "../idempotency/run-once.ts";
import { parseInput, text } from "../input.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { changeStock, lockVariants } from "./change-stock.ts";
import { variantNotFound } from "./edit-variant.ts";
import { MAX_NOTE_LENGTH } from "./product-schemas.ts";
import { MAX_QUANTITY, type StockChange } from "./stock-change.entity.ts";
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
 * Adds units to the stock of a variant or takes them away, and records `product.updated`.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; INSUFFICIENT_STOCK when stock would fall below zero in a shop that
 *   does not oversell; CONFLICT while the same idempotency key is in use
 */
export async function adjustStock(
  em: EntityManager,
  shop: Shop,
  caller: Caller,
  request: AdjustStockRequest,
  idempotencyKey?: string,
): Promise<StockChange> {
  const input = parseInput(adjustStockSchema, request);
  const once = { shopId: shop.id, key: idempotencyKey, operation: "adjustStock", input };
  return em.transactional((transaction) =>
    runOnce(transaction, once, async () => {
      const { variantId, delta, reason, note } = input;
      const variant = (await lockVariants(transaction, shop.id, [variantId])).get(variantId);
      if (!variant) throw variantNotFound();
      const cause = { reason: stockReason(reason), note, at: await databaseTime(transaction) };
      const [change] = await changeStock(transaction, shop, caller, [{ variant, delta }], cause);
      return change!;
    }),
  );
}
