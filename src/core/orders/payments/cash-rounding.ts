import { Big } from "../../../platform/money.ts";
import type { Payment } from "../../model/orders/payment.entity.ts";
import { PaymentMethod } from "../../model/orders/payment.enums.ts";

// `step` is `Shop.cashRounding`: the amount to whose multiples cash is rounded, or 0.

/** Rounds an amount to the nearest multiple, halves up, if it is paid in cash. */
export function roundFor(method: PaymentMethod, amount: Big, step: string): Big {
  if (method !== PaymentMethod.CASH || new Big(step).eq(0)) return amount;
  return amount.div(step).round(0, Big.roundHalfUp).times(step);
}

/** The rounding of a payment: its difference from the amount owed if it settles the order, otherwise 0. */
export function roundingOf(payment: Pick<Payment, "method" | "amount">, owed: Big, step: string): Big {
  const paid = new Big(payment.amount);
  return paid.eq(roundFor(payment.method, owed, step)) ? paid.minus(owed) : new Big(0);
}

type Refundable = Pick<Payment, "method" | "amount" | "refundedAmount" | "roundingAmount" | "refundedRoundingAmount">;

/** The unrefunded money of a payment, and its worth: the price that it pays, without the rounding of cash. */
export function heldBy(payment: Omit<Refundable, "method">): { money: Big; worth: Big } {
  const money = new Big(payment.amount).minus(payment.refundedAmount);
  return { money, worth: money.minus(payment.roundingAmount).plus(payment.refundedRoundingAmount) };
}

/**
 * The money to refund for a part of a payment. Earlier roundings count, so all refunds together are off by half a multiple
 * at most, and the last one refunds the rest.
 */
export function refundOfPart(payment: Refundable, part: Big, step: string): Big {
  const { money, worth } = heldBy(payment);
  if (part.gte(worth) || part.gte(money)) return money;
  const rounded = roundFor(payment.method, part.minus(payment.refundedRoundingAmount), step);
  if (rounded.lt(0)) return new Big(0);
  return rounded.lt(money) ? rounded : money;
}
