import { operator } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Channel, FulfillmentStatus, OrderStatus, OrderPaymentStatus } from "../../model/orders/order.enums.ts";
import { FIRST_ORDER_NUMBER, formatOrderNumber, formatReceiptNumber } from "../../orders/numbers.ts";
import { PaymentMethod, PaymentStatus } from "../../model/orders/payment.enums.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { newId } from "../../model/ids.ts";
import { roundFor } from "../../orders/payments/cash-rounding.ts";
import { priceOrder } from "../../orders/price-order.ts";
import { Big, inCurrency } from "../../../platform/money.ts";
import { StockReason } from "../../model/products/stock-change.entity.ts";

export interface SoldVariant {
  productId: string;
  variantId: string;
  title: string;
  variantTitle: string;
  sku: string;
  unitPrice: string;
}

export interface OrderSeed {
  shop: Shop;
  number: number;
  customerId: string | null;
  variants: SoldVariant[];
  createdAt: Date;
  random: () => number;
}

const MINUTE = 60_000;
const NOTHING = { totalAmount: "0", taxAmount: "0" };

/** The final state of an order: cancelled, refunded in full, refunded by the first item, or none of these. */
interface Fate {
  status: OrderStatus;
  paymentStatus: OrderPaymentStatus;
  refunded: "nothing" | "everything" | "firstItem";
}

function decideFate(dice: number, hasOneItem: boolean): Fate {
  if (dice < 0.04) {
    return { status: OrderStatus.CANCELLED, paymentStatus: OrderPaymentStatus.VOIDED, refunded: "nothing" };
  }
  if (dice > 0.1) return { status: OrderStatus.CONFIRMED, paymentStatus: OrderPaymentStatus.PAID, refunded: "nothing" };
  return dice < 0.07 || hasOneItem
    ? { status: OrderStatus.REFUNDED, paymentStatus: OrderPaymentStatus.REFUNDED, refunded: "everything" }
    : {
        status: OrderStatus.CONFIRMED,
        paymentStatus: OrderPaymentStatus.PARTIALLY_REFUNDED,
        refunded: "firstItem",
      };
}

/** Makes the rows of an order. Totals, payment and refund add up to the cent. */
export function makeOrder(seed: OrderSeed) {
  const { shop, createdAt, random } = seed;
  const key = { shopId: shop.id, id: newId("ord") };
  const lines = seed.variants.map((variant) => makeLine(variant, shop.defaultTaxRate ?? "0", random));
  const { lines: priced, ...amounts } = priceOrder(lines, null, shop);
  const { refunded, ...state } = decideFate(random(), lines.length === 1);
  const isCancelled = state.status === OrderStatus.CANCELLED;
  const channel = random() < 0.6 ? Channel.POS : Channel.STOREFRONT;
  const method = channel === Channel.POS && random() < 0.4 ? PaymentMethod.CASH : PaymentMethod.CARD;
  const pay = (amount: string) => roundFor(method, new Big(amount), shop.cashRounding);
  const paid = isCancelled ? new Big(amounts.totalAmount) : pay(amounts.totalAmount);
  const { totalAmount: worth, taxAmount } = { nothing: NOTHING, everything: amounts, firstItem: priced[0]! }[refunded];
  const changedAt = new Date(createdAt.getTime() + MINUTE);
  const order = {
    ...key,
    orderNumber: formatOrderNumber(FIRST_ORDER_NUMBER + seed.number),
    receiptNumber: channel === Channel.POS && !isCancelled ? formatReceiptNumber(seed.number) : null,
    ...state,
    fulfillmentStatus: isCancelled ? FulfillmentStatus.UNFULFILLED : FulfillmentStatus.FULFILLED,
    channel,
    currency: shop.currency,
    pricesIncludeTax: shop.pricesIncludeTax,
    customer: seed.customerId === null ? null : ([shop.id, seed.customerId] as [string, string]),
    ...amounts,
    roundingAmount: inCurrency(paid.minus(amounts.totalAmount), shop),
    totalAmount: inCurrency(paid, shop),
    refundedAmount: inCurrency(pay(worth), shop),
    cancelledAt: isCancelled ? changedAt : null,
    createdAt,
    updatedAt: changedAt,
  };
  const payment = {
    ...makePart(order, "pay"),
    method,
    status: isCancelled ? PaymentStatus.VOIDED : PaymentStatus.CAPTURED,
    amount: order.totalAmount,
    roundingAmount: order.roundingAmount,
    refundedAmount: order.refundedAmount,
    refundedRoundingAmount: inCurrency(pay(worth).minus(worth), shop),
    currency: shop.currency,
    reference: channel === Channel.STOREFRONT ? `ch_${order.id.slice(-10)}` : null,
    processedAt: isCancelled ? null : createdAt,
    createdAt,
  };
  const items = lines.map(({ discount: _, ...line }, index) => ({
    ...makePart(order, "itm"),
    position: index + 1,
    ...line,
    ...priced[index]!,
    refundedAmount:
      refunded === "everything" || (refunded === "firstItem" && index === 0) ? priced[index]!.totalAmount : "0",
    fulfilledQuantity: isCancelled ? 0 : line.quantity,
  }));
  const refunds = refunded === "nothing" ? [] : [makeRefund(order, taxAmount, changedAt)];
  const changes = [
    ...(isCancelled ? [makeChange(order, AuditAction.ORDER_CANCELLED, { restock: "true" })] : []),
    ...refunds.map(({ id, amount }) => makeChange(order, AuditAction.ORDER_REFUNDED, { refundId: id, amount })),
  ];
  return { order, items, payment, refunds, changes };
}

/** An entry of the audit log, which the timeline of the order shows. */
function makeChange(
  { shopId, id, orderNumber: name, updatedAt }: Key & { orderNumber: string; updatedAt: Date },
  action: AuditAction,
  details: Record<string, string>,
) {
  const actor = { actorKind: operator.kind, actorId: null, actorName: null, address: null, userAgent: null };
  const target = { targetId: id, targetName: name };
  return { shopId, id: newId("aud"), action, ...actor, ...target, details, createdAt: updatedAt };
}

function makeLine(variant: SoldVariant, taxRate: string, random: () => number) {
  const quantity = 1 + Math.floor(random() * 3);
  return { ...variant, quantity, taxRate, discount: random() < 0.15 ? { percentage: "10" } : null };
}

interface Key {
  shopId: string;
  id: string;
}

function makePart({ shopId, id }: Key, prefix: "itm" | "pay" | "ref") {
  return { shopId, id: newId(prefix), order: [shopId, id] as [string, string] };
}

function makeRefund(order: Key & { currency: string; refundedAmount: string }, taxAmount: string, createdAt: Date) {
  const { currency, refundedAmount: amount } = order;
  return { ...makePart(order, "ref"), amount, taxAmount, currency, reason: "Returned by the customer", createdAt };
}

export interface Stocked {
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
    .filter(({ quantity }) => quantity !== 0)
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
