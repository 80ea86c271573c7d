import { addAmounts, negate } from "../ui/values/money.ts";
import type { Order, OrderLine, Payment } from "./order-queries.ts";

/** True for a payment that can still be captured. */
export const isPending = ({ status }: Payment) => status === "PENDING" || status === "AUTHORIZED";

/** True for a payment that the provider may have captured after all. */
export const isLateCapturable = ({ status }: Payment) => status === "VOIDED" || status === "FAILED";

const isCaptured = ({ status }: Payment) => status === "CAPTURED";

/** Adds up payments, with the decimals of the order's other amounts. */
const sumOf = (order: Order, isIncluded: (payment: Payment) => boolean) =>
  addAmounts(
    order.totalAmount,
    negate(order.totalAmount),
    ...order.payments.filter(isIncluded).map((each) => each.amount),
  );

export const paidAmount = (order: Order) => sumOf(order, isCaptured);
export const pendingAmount = (order: Order) => sumOf(order, isPending);

/** The part of the total that no captured or pending payment covers. */
export const outstandingAmount = (order: Order) =>
  addAmounts(order.totalAmount, negate(paidAmount(order)), negate(pendingAmount(order)));

/** The captured amount that has not been refunded. */
export const refundableAmount = (order: Order) => addAmounts(paidAmount(order), negate(order.refundedAmount));

/** Units that can still be fulfilled. Refunds take unfulfilled units first. */
export const unitsToFulfill = ({ quantity, fulfilledQuantity, refundedQuantity }: OrderLine) =>
  Math.max(0, quantity - fulfilledQuantity - refundedQuantity);

/** Units that can still be refunded. */
export const unitsToRefund = ({ quantity, refundedQuantity }: OrderLine) => quantity - refundedQuantity;
