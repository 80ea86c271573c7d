import { Big } from "../../../platform/money.ts";
import type { Payment } from "../../model/orders/payment.entity.ts";
import { PaymentMethod } from "../../model/orders/payment.enums.ts";

// `step` is the amount whose multiples coins can pay, and 0 where cash is exact: `Shop.cashRounding`.

/** The nearest amount that can be paid. Halves are rounded up; methods other than cash are exact. */
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

/** The money that a payment holds, and its worth: what it paid for without the roundings of cash. */
export function heldBy(payment: Refundable): { money: Big; worth: Big } {
  const money = new Big(payment.amount).minus(payment.refundedAmount);
  return { money, worth: money.minus(payment.roundingAmount).plus(payment.refundedRoundingAmount) };
}

/**
 * The money to give back for a part of what a payment holds. Earlier roundings count, so refunds in parts are together off
 * by half of a coin at most, and the last one gives back the rest of what was paid.
 */
export function refundOfPart(payment: Refundable, part: Big, step: string): Big {
  const { money, worth } = heldBy(payment);
  if (part.gte(worth) || part.gte(money)) return money;
  const rounded = roundFor(payment.method, part.minus(payment.refundedRoundingAmount), step);
  if (rounded.lt(0)) return new Big(0);
  return rounded.lt(money) ? rounded : money;
}
