import { addAmounts, negate } from "../ui/values/money.ts";
import type { Order, OrderLine, Payment } from "./order-queries.ts";

/** Tells whether its money is on its way. */
export const isExpected = ({ status }: Payment) => status === "PENDING" || status === "AUTHORIZED";

const isCaptured = ({ status }: Payment) => status === "CAPTURED";

/** The sum, with the decimals that the order's other amounts have. */
const sumOf = (order: Order, isCounted: (payment: Payment) => boolean) =>
  addAmounts(
    order.totalAmount,
    negate(order.totalAmount),
    ...order.payments.filter(isCounted).map((each) => each.amount),
  );

export const paidAmount = (order: Order) => sumOf(order, isCaptured);
export const expectedAmount = (order: Order) => sumOf(order, isExpected);

/** The part of the order's total that no payment covers, received or expected. */
export const leftToPay = (order: Order) =>
  addAmounts(order.totalAmount, negate(paidAmount(order)), negate(expectedAmount(order)));

/** Money that came in and was not given back. */
export const heldAmount = (order: Order) => addAmounts(paidAmount(order), negate(order.refundedAmount));

/** Units that are still to be handed over. What is given back is first taken from these. */
export const toHandOver = ({ quantity, fulfilledQuantity, refundedQuantity }: OrderLine) =>
  Math.max(0, quantity - fulfilledQuantity - refundedQuantity);

/** Units that can be given back. */
export const toGiveBack = ({ quantity, refundedQuantity }: OrderLine) => quantity - refundedQuantity;
