import type { Operation } from "../../access/operation.ts";
import type { StockReason } from "../../model/products/stock-change.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { changeStock, lockVariants } from "../../stock/change-stock.ts";
import type { LockedOrder } from "./lock-order.ts";

/**
 * Returns units of order lines to stock. Units of deleted variants are skipped.
 *
 * @returns the lines whose units were returned
 */
export async function restock(
  operation: Operation,
  { order, items }: LockedOrder,
  units: ReadonlyMap<string, number>,
  reason: StockReason,
): Promise<ReadonlySet<string>> {
  const unitsOf = ({ id }: { id: string }) => units.get(id) ?? 0;
  const returned = items.filter((item) => unitsOf(item) > 0);
  const variants = await lockVariants(
    operation,
    returned.map(({ variantId }) => variantId),
  );
  const kept = returned.filter(({ variantId }) => variants.has(variantId));
  if (kept.length === 0) return new Set();
  const deltas = [...Map.groupBy(kept, ({ variantId }) => variantId)].map(([variantId, group]) => ({
    variant: variants.get(variantId)!,
    delta: group.reduce((sum, item) => sum + unitsOf(item), 0),
  }));
  // Read after the locks, so that the stock history is in the order of changes.
  await changeStock(operation, deltas, { reason, orderId: order.id, at: await databaseTime(operation.em) });
  for (const item of kept) item.restockedQuantity += unitsOf(item);
  return new Set(kept.map(({ id }) => id));
}
