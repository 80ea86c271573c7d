import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Author } from "../access/author.ts";
import { databaseTime } from "../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput, text } from "../validation/input.ts";
import type { Shop } from "../model/shops/shop.entity.ts";
import type { Changed } from "../products/edits/change-each-product.ts";
import { lockVariants, writeStock } from "./change-stock.ts";
import { variantNotFound } from "../products/variants/edit-variant.ts";
import { MAX_NOTE_LENGTH } from "../products/product-schemas.ts";
import type { ProductUpdate } from "../products/edits/product-update.ts";
import { MAX_QUANTITY, type StockChange } from "../model/products/stock-change.entity.ts";
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
 * Adds units to the stock of a variant or takes them away, in the transaction of the caller, who records the update.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; INSUFFICIENT_STOCK when stock would fall below zero in a shop that
 *   does not oversell; CONFLICT while the same idempotency key is in use
 */
export async function adjustStock(
  em: EntityManager,
  shop: Shop,
  author: Author,
  request: AdjustStockRequest,
  claim?: IdempotencyClaim,
): Promise<Changed<StockChange>> {
  const input = parseInput(adjustStockSchema, request);
  const once = { shopId: shop.id, claim, operation: "adjustStock", input };
  const { variantId, delta, reason, note } = input;
  // Before the key is claimed: else a request could hold a key and wait for the product while another does the reverse.
  const variant = (await lockVariants(em, shop.id, [variantId])).get(variantId);
  let update: ProductUpdate | null = null;
  const value = await runIdempotent(em, once, async () => {
    if (!variant) throw variantNotFound();
    const cause = { reason: stockReason(reason), note, at: await databaseTime(em) };
    const { changes, updates } = await writeStock(em, shop, author, [{ variant, delta }], cause);
    update = updates[0]!;
    return changes[0]!;
  });
  return { value, update };
}
