import { Channel, FulfillmentStatus, OrderStatus, OrderPaymentStatus } from "../core/model/orders/order.enums.ts";
import { FIRST_ORDER_NUMBER, orderNumber, receiptNumber } from "../core/orders/numbers.ts";
import { PaymentMethod, PaymentStatus } from "../core/model/orders/payment.enums.ts";
import { newId } from "../core/model/ids.ts";
import { Big } from "../platform/money.ts";

export interface SoldVariant {
  productId: string;
  variantId: string;
  title: string;
  variantTitle: string;
  sku: string;
  cents: number;
}

export interface OrderSeed {
  shopId: string;
  currency: string;
  number: number;
  customerId: string | null;
  variants: SoldVariant[];
  createdAt: Date;
  random: () => number;
}

const TAX_PERCENT = 19;
const MINUTE = 60_000;

function amount(cents: number): string {
  return new Big(cents).div(100).toFixed(2);
}

/** The final state of an order, and the refunded cents. */
interface Fate {
  status: OrderStatus;
  paymentStatus: OrderPaymentStatus;
  refunded: number;
}

function decideFate(random: () => number, total: number, firstItem: number): Fate {
  const dice = random();
  if (dice < 0.04) return { status: OrderStatus.CANCELLED, paymentStatus: OrderPaymentStatus.VOIDED, refunded: 0 };
  if (dice > 0.1) return { status: OrderStatus.CONFIRMED, paymentStatus: OrderPaymentStatus.PAID, refunded: 0 };
  const refunded = dice < 0.07 ? total : firstItem;
  return refunded === total
    ? { status: OrderStatus.REFUNDED, paymentStatus: OrderPaymentStatus.REFUNDED, refunded }
    : { status: OrderStatus.CONFIRMED, paymentStatus: OrderPaymentStatus.PARTIALLY_REFUNDED, refunded };
}

/** Makes the rows of an order. Totals, payment and refund add up to the cent. */
export function makeOrder(seed: OrderSeed) {
  const { shopId, currency, createdAt, random } = seed;
  const id = newId("ord");
  const items = seed.variants.map((variant, index) => makeItem(seed, id, variant, index + 1));
  const sumOf = (field: keyof Cents) => items.reduce((sum, item) => sum + item.cents[field], 0);
  const fate = decideFate(random, sumOf("total"), items[0]!.cents.total);
  const isCancelled = fate.status === OrderStatus.CANCELLED;
  const channel = random() < 0.6 ? Channel.POS : Channel.STOREFRONT;
  const paidAt = new Date(createdAt.getTime() + MINUTE);
  const order = {
    shopId,
    id,
    orderNumber: orderNumber(FIRST_ORDER_NUMBER + seed.number),
    receiptNumber: channel === Channel.POS && !isCancelled ? receiptNumber(seed.number) : null,
    status: fate.status,
    paymentStatus: fate.paymentStatus,
    fulfillmentStatus: isCancelled ? FulfillmentStatus.UNFULFILLED : FulfillmentStatus.FULFILLED,
    channel,
    currency,
    customer: seed.customerId === null ? null : key(shopId, seed.customerId),
    subtotalAmount: amount(sumOf("subtotal")),
    discountAmount: amount(sumOf("discount")),
    taxAmount: amount(sumOf("tax")),
    totalAmount: amount(sumOf("total")),
    refundedAmount: amount(fate.refunded),
    createdAt,
    updatedAt: paidAt,
  };
  const payment = {
    shopId,
    id: newId("pay"),
    order: key(shopId, id),
    method: channel === Channel.POS && random() < 0.4 ? PaymentMethod.CASH : PaymentMethod.CARD,
    status: isCancelled ? PaymentStatus.VOIDED : PaymentStatus.CAPTURED,
    amount: order.totalAmount,
    refundedAmount: order.refundedAmount,
    currency,
    reference: channel === Channel.STOREFRONT ? `ch_${id.slice(-10)}` : null,
    processedAt: isCancelled ? null : paidAt,
    createdAt,
  };
  const refunds = fate.refunded === 0 ? [] : [makeRefund(order, order.refundedAmount, paidAt)];
  const fulfilled = items.map(({ row }) => ({ ...row, fulfilledQuantity: isCancelled ? 0 : row.quantity }));
  return { order, items: fulfilled, payment, refunds };
}

function makeRefund(order: { shopId: string; id: string; currency: string }, refunded: string, createdAt: Date) {
  const { shopId, id, currency } = order;
  const reason = "Returned by the customer";
  return { shopId, id: newId("ref"), order: key(shopId, id), amount: refunded, currency, reason, createdAt };
}

/** The composite key of a row's reference within its shop. */
function key(shopId: string, id: string): [string, string] {
  return [shopId, id];
}

interface Cents {
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
}

function makeItem({ shopId, random }: OrderSeed, orderId: string, variant: SoldVariant, position: number) {
  const quantity = 1 + Math.floor(random() * 3);
  const subtotal = quantity * variant.cents;
  const discount = random() < 0.15 ? Math.round(subtotal / 10) : 0;
  const tax = Math.round(((subtotal - discount) * TAX_PERCENT) / 100);
  const total = subtotal - discount + tax;
  const row = {
    shopId,
    id: newId("itm"),
    order: key(shopId, orderId),
    position,
    productId: variant.productId,
    variantId: variant.variantId,
    title: variant.title,
    variantTitle: variant.variantTitle,
    sku: variant.sku,
    quantity,
    unitPrice: amount(variant.cents),
    discountAmount: amount(discount),
    taxAmount: amount(tax),
    totalAmount: amount(total),
  };
  const cents: Cents = { subtotal, discount, tax, total };
  return { row, cents };
}
