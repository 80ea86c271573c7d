import { Big, sum } from "../../platform/money.ts";
import type { OrderItem } from "../model/orders/order-item.entity.ts";
import type { Payment } from "../model/orders/payment.entity.ts";
import type { Order } from "../model/orders/order.entity.ts";
import { FulfillmentStatus, OrderPaymentStatus, OrderStatus } from "../model/orders/order.enums.ts";
import { PaymentStatus } from "../model/orders/payment.enums.ts";

export type PaymentAmounts = Pick<Payment, "status" | "amount" | "refundedAmount">;
export type PaymentRounding = Pick<Payment, "status" | "roundingAmount">;

/** The captured amount, including what was refunded since. */
export function capturedAmount(payments: readonly PaymentAmounts[]): string {
  return sum(payments.filter(({ status }) => status === PaymentStatus.CAPTURED).map(({ amount }) => amount));
}

const covering = new Set<PaymentStatus>([PaymentStatus.PENDING, PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED]);

/** The amount that payments cover: captured, authorized and pending ones. */
export function coveredAmount(payments: readonly PaymentAmounts[]): string {
  return sum(payments.filter(({ status }) => covering.has(status)).map(({ amount }) => amount));
}

/** The rounding of the payments that cover an order. */
export function roundingAmount(payments: readonly PaymentRounding[]): string {
  return sum(payments.filter(({ status }) => covering.has(status)).map((payment) => payment.roundingAmount));
}

/** The refunded amount. */
export function refundedAmount(payments: readonly PaymentAmounts[]): string {
  return sum(payments.map((payment) => payment.refundedAmount));
}

/** The captured amount that was not refunded. */
export function heldAmount(payments: readonly PaymentAmounts[]): string {
  return new Big(capturedAmount(payments)).minus(refundedAmount(payments)).toFixed();
}

/**
 * The payment status of an order. A free order is paid from the start. The rounding of uncaptured cash does not count, so
 * that a paid order stays paid when that cash fails.
 */
export function paymentStatusOf(
  { status, totalAmount }: Pick<Order, "status" | "totalAmount">,
  payments: readonly (PaymentAmounts & PaymentRounding)[],
): OrderPaymentStatus {
  const captured = new Big(capturedAmount(payments));
  if (status === OrderStatus.CANCELLED && captured.eq(0)) return OrderPaymentStatus.VOIDED;
  const refunded = new Big(refundedAmount(payments));
  if (refunded.gt(0))
    return refunded.eq(captured) ? OrderPaymentStatus.REFUNDED : OrderPaymentStatus.PARTIALLY_REFUNDED;
  const open = payments.filter((payment) => payment.status !== PaymentStatus.CAPTURED);
  if (captured.gte(new Big(totalAmount).minus(roundingAmount(open)))) return OrderPaymentStatus.PAID;
  return captured.gt(0) ? OrderPaymentStatus.PARTIALLY_PAID : OrderPaymentStatus.UNPAID;
}

type LineQuantities = Pick<OrderItem, "quantity" | "fulfilledQuantity" | "refundedQuantity">;

/** True when no unit of the order is fulfilled or remains to be fulfilled. */
export function isReturned(lines: readonly LineQuantities[]): boolean {
  return lines.every(({ quantity, refundedQuantity }) => refundedQuantity === quantity);
}

/** Units that remain to be fulfilled. Refunded units are deducted from these first. */
export function remainingQuantity({ quantity, fulfilledQuantity, refundedQuantity }: LineQuantities): number {
  return Math.max(0, quantity - fulfilledQuantity - refundedQuantity);
}

export function fulfillmentStatusOf(lines: readonly LineQuantities[]): FulfillmentStatus {
  if (lines.every(({ fulfilledQuantity }) => fulfilledQuantity === 0)) return FulfillmentStatus.UNFULFILLED;
  return lines.every((line) => remainingQuantity(line) === 0)
    ? FulfillmentStatus.FULFILLED
    : FulfillmentStatus.PARTIALLY_FULFILLED;
}
