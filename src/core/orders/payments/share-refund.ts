import { AppError, invalidInput } from "../../model/errors.ts";
import { Big, inCurrency } from "../../../platform/money.ts";
import { describeMoneyLeft } from "../../access/actor.ts";
import type { Operation } from "../../access/operation.ts";
import type { Payment } from "../../model/orders/payment.entity.ts";
import { PaymentStatus } from "../../model/orders/payment.enums.ts";
import { Permission } from "../../model/permissions.ts";
import { heldAmount } from "../order-states.ts";
import { heldBy, refundOfPart } from "./cash-rounding.ts";

export type RefundablePayment = Pick<
  Payment,
  "id" | "method" | "status" | "amount" | "refundedAmount" | "roundingAmount" | "refundedRoundingAmount"
>;

/** The part of a refund that is refunded through one payment, with the rounding of cash in it. */
export interface Share {
  payment: RefundablePayment;
  amount: string;
  roundingAmount: string;
}

/** A refund of an amount of money, or of a price, of which the money is a rounding. */
type Wanted = { paymentId?: string | null | undefined } & (
  | { amount: string; price?: never }
  | { price: string; amount?: never }
);

/**
 * Distributes a refund over the payments of an order from the oldest, or over a given one.
 *
 * @throws AppError VALIDATION_FAILED when they hold less; INVALID_STATE when they hold nothing
 */
export function shareRefund(operation: Operation, payments: readonly RefundablePayment[], wanted: Wanted): Share[] {
  const { shop } = operation;
  const shares: Share[] = [];
  let open = new Big(wanted.price ?? wanted.amount);
  let held = new Big(0);
  for (const payment of payments) {
    if (payment.status !== PaymentStatus.CAPTURED) continue;
    if (wanted.paymentId != null && payment.id !== wanted.paymentId) continue;
    const { money, worth } = heldBy(payment);
    const left = wanted.price === undefined ? money : worth;
    const part = left.lt(open) ? left : open;
    held = held.plus(money);
    if (part.lte(0)) continue;
    const back = refundOfPart(payment, part, shop.cashRounding);
    shares.push({ payment, amount: inCurrency(back, shop), roundingAmount: inCurrency(back.minus(part), shop) });
    open = open.minus(part);
  }
  if (open.gt(0)) throw refusal(operation, payments, wanted, held);
  return shares;
}

/** The error for a refund of more than the payments hold. It says what they hold. */
function refusal(
  { shop, actor }: Operation,
  payments: readonly RefundablePayment[],
  { amount, paymentId }: Wanted,
  held: Big,
): AppError {
  const describe = (money: Big) => describeMoneyLeft(actor, Permission.READ_ORDERS, money, shop);
  if (held.eq(0) && paymentId == null) {
    return new AppError("INVALID_STATE", "The order has no payments left to refund", {
      hint: "Set amount to 0 to return units without money.",
    });
  }
  if (held.eq(0)) {
    return new AppError("INVALID_STATE", "The payment has nothing left to refund", {
      hint: `Omit paymentId to refund what is left of all payments${describe(new Big(heldAmount(payments)))}`,
    });
  }
  const left = `the captured amount that is not refunded yet${describe(held)}`;
  return invalidInput([
    amount === undefined
      ? { path: "items", code: "too_big", message: `Must not cost more than ${left}. Set an amount to refund less` }
      : { path: "amount", code: "too_big", message: `Must not exceed ${left}` },
  ]);
}
