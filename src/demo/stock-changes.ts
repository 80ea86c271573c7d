import { OrderStatus } from "../core/model/orders/order.enums.ts";
import { StockReason } from "../core/model/products/stock-change.entity.ts";
import { newId } from "../core/model/ids.ts";

interface Stocked {
  shopId: string;
  id: string;
  productId: string;
  inventoryQuantity: number;
  createdAt: Date;
}

interface Sale {
  order: { id: string; status: OrderStatus; createdAt: Date };
  items: readonly { variantId: string; quantity: number }[];
}

/** Makes the stock history of variants from their present stock and their sales, which are in order of time. */
export function makeStockChanges(variants: readonly Stocked[], sales: readonly Sale[]) {
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  const stock = new Map(variants.map(({ id, inventoryQuantity }) => [id, inventoryQuantity]));
  const kept = sales.filter(({ order }) => order.status !== OrderStatus.CANCELLED);
  const sold = kept.toReversed().flatMap(({ order, items }) =>
    items.toReversed().map(({ variantId, quantity }) => {
      const after = stock.get(variantId)!;
      stock.set(variantId, after + quantity);
      const change = { orderId: order.id, reason: StockReason.SOLD, delta: -quantity, quantityAfter: after };
      return { ...change, variant: byId.get(variantId)!, createdAt: order.createdAt };
    }),
  );
  const initial = variants
    .map((variant) => ({ variant, quantity: stock.get(variant.id)! }))
    .filter(({ quantity }) => quantity > 0)
    .map(({ variant, quantity }) => {
      const change = { orderId: null, reason: StockReason.INITIAL, delta: quantity, quantityAfter: quantity };
      return { ...change, variant, createdAt: variant.createdAt };
    });
  return [...initial, ...sold.toReversed()].map(({ variant, ...change }) => ({
    shopId: variant.shopId,
    id: newId("stk"),
    productId: variant.productId,
    variantId: variant.id,
    note: null,
    actorId: null,
    ...change,
  }));
}
