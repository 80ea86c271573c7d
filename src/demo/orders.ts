import { Channel, FulfillmentStatus, OrderStatus, PaymentStatus } from "../core/orders/order.entity.ts";
import { PaymentMethod, PaymentState } from "../core/orders/payment.entity.ts";
import { newId } from "../platform/ids.ts";
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

/** The rows of one order, whose totals, payments and refunds agree to the cent. */
export function makeOrder(seed: OrderSeed) {
  const { shopId, currency, createdAt, random } = seed;
  const orderId = newId("ord");
  const items = seed.variants.map((variant, index) => makeItem(seed, orderId, variant, index + 1));
  const total = (field: "subtotal" | "discount" | "tax" | "total") =>
    items.reduce((sum, item) => sum + item.cents[field], 0);
  const fate = random();
  const isCancelled = fate < 0.04;
  const refund = !isCancelled && fate < 0.1 ? (fate < 0.07 ? total("total") : items[0]!.cents.total) : 0;
  const isRefunded = refund > 0 && refund === total("total");
  const channel = random() < 0.6 ? Channel.POS : Channel.STOREFRONT;
  const paidAt = new Date(createdAt.getTime() + MINUTE);
  const order = {
    shopId,
    id: orderId,
    orderNumber: String(1_000 + seed.number),
    receiptNumber: channel === Channel.POS && !isCancelled ? `R-${String(seed.number).padStart(6, "0")}` : null,
    status: isCancelled ? OrderStatus.CANCELLED : isRefunded ? OrderStatus.REFUNDED : OrderStatus.CONFIRMED,
    paymentStatus: isCancelled
      ? PaymentStatus.VOIDED
      : isRefunded
        ? PaymentStatus.REFUNDED
        : refund > 0
          ? PaymentStatus.PARTIALLY_REFUNDED
          : PaymentStatus.PAID,
    fulfillmentStatus: isCancelled ? FulfillmentStatus.UNFULFILLED : FulfillmentStatus.FULFILLED,
    channel,
    currency,
    customer: seed.customerId === null ? null : ([shopId, seed.customerId] as [string, string]),
    subtotalAmount: amount(total("subtotal")),
    discountAmount: amount(total("discount")),
    taxAmount: amount(total("tax")),
    totalAmount: amount(total("total")),
    refundedAmount: amount(refund),
    createdAt,
    updatedAt: paidAt,
  };
  const payment = {
    shopId,
    id: newId("pay"),
    order: [shopId, orderId] as [string, string],
    method: channel === Channel.POS && random() < 0.4 ? PaymentMethod.CASH : PaymentMethod.CARD,
    status: isCancelled ? PaymentState.VOIDED : PaymentState.CAPTURED,
    amount: amount(total("total")),
    refundedAmount: amount(refund),
    currency,
    reference: channel === Channel.STOREFRONT ? `ch_${orderId.slice(-10)}` : null,
    processedAt: paidAt,
    createdAt,
  };
  const refunds =
    refund === 0
      ? []
      : [
          {
            shopId,
            id: newId("ref"),
            order: [shopId, orderId] as [string, string],
            payment: [shopId, payment.id] as [string, string],
            amount: amount(refund),
            currency,
            reason: "Returned by the customer",
            createdAt: paidAt,
          },
        ];
  return { order, items: items.map(({ row }) => row), payment, refunds };
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
    order: [shopId, orderId] as [string, string],
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
  return { row, cents: { subtotal, discount, tax, total } };
}
