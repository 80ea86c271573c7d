import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { changeStock, lockVariants } from "../../stock/change-stock.ts";
import type { StockReason } from "../../model/products/stock-change.entity.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { addUnits } from "./fulfill-order.ts";
import type { LockedOrder } from "./lock-order.ts";

/**
 * Puts units of an order's lines back into stock. Units of variants that were deleted since stay gone.
 *
 * @returns the lines whose units went back
 */
export async function restock(
  em: EntityManager,
  shop: Shop,
  author: Author,
  order: LockedOrder,
  { units, reason }: { units: ReadonlyMap<string, number>; reason: StockReason },
): Promise<ReadonlySet<string>> {
  const lines = order.items.flatMap((item) => {
    const quantity = units.get(item.id) ?? 0;
    return quantity > 0 ? [{ item, quantity }] : [];
  });
  const variants = await lockVariants(
    em,
    shop.id,
    lines.map(({ item }) => item.variantId),
  );
  const kept = lines.filter(({ item }) => variants.has(item.variantId));
  if (kept.length === 0) return new Set();
  const deltas = [...Map.groupBy(kept, ({ item }) => item.variantId)].map(([variantId, group]) => ({
    variant: variants.get(variantId)!,
    delta: group.reduce((sum, { quantity }) => sum + quantity, 0),
  }));
  // A moment after the locks, so that the history of stock is in the order of its changes.
  await changeStock(em, shop, author, deltas, { reason, orderId: order.id, at: await databaseTime(em) });
  await addUnits(em, shop, "restocked_quantity", new Map(kept.map(({ item, quantity }) => [item.id, quantity])));
  return new Set(kept.map(({ item }) => item.id));
}
