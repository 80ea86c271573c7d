import { z } from "zod";
import { inCurrency } from "../../../platform/money.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { describeChange } from "../../audit/record-audit.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import type { Payment } from "../../model/orders/payment.entity.ts";
import { PaymentStatus } from "../../model/orders/payment.enums.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { amount, checkDigits } from "../../validation/amount.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import { applyRounding, lockOrder, type LockedOrder } from "../changes/lock-order.ts";
import { openAmount } from "./amount-to-pay.ts";
import { roundingOf } from "./cash-rounding.ts";
import { savePayments } from "./record-payment.ts";

const { PENDING, AUTHORIZED, CAPTURED, FAILED, VOIDED } = PaymentStatus;

/** The possible next states of a payment, beside CAPTURED: a payment provider can capture a payment that failed. */
const nextStates: Partial<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  [PENDING]: [AUTHORIZED, FAILED, VOIDED],
  [AUTHORIZED]: [FAILED, VOIDED],
};

const settlePaymentSchema = z
  .strictObject({
    status: z.enum([AUTHORIZED, CAPTURED, FAILED, VOIDED]),
    amount: amount({ moreThan: 0 }).nullish(),
    reference: text({ min: 1, max: 255 }).nullish(),
  })
  .refine((input) => input.amount == null || input.status === CAPTURED, {
    path: ["amount"],
    error: "Must be omitted unless the status is CAPTURED",
  });

export type SettlePaymentRequest = z.input<typeof settlePaymentSchema>;

/**
 * Captures, authorizes, voids or fails a payment. Repeating it changes nothing. A payment can be captured in every state
 * of the order, and after it failed or was voided, because the payment provider has the money then.
 *
 * @returns the id of the payment's order @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE when the payment
 * cannot have this status
 */
export async function settlePayment(
  operation: Operation,
  paymentId: string,
  request: SettlePaymentRequest,
): Promise<string> {
  const input = parseInput(settlePaymentSchema, request);
  const issues = input.amount == null ? [] : checkDigits("amount", input.amount, operation.shop);
  if (issues.length > 0) throw invalidInput(issues);
  return inTransaction(operation, async (inside) => {
    const orderId = await findOrderId(inside, paymentId);
    const locked = await lockOrder(inside, orderId, null);
    const payment = locked.payments.find(({ id }) => id === paymentId)!;
    const { status } = input;
    const { status: before, amount: expected } = payment;
    const reference = input.reference ?? payment.reference;
    const paid = input.amount == null ? expected : inCurrency(input.amount, inside.shop);
    checkChange(payment, status, paid);
    if (before === status && payment.reference === reference) return orderId;
    const at = await databaseTime(inside.em);
    payment.status = status;
    payment.reference = reference;
    payment.processedAt = status === CAPTURED ? (payment.processedAt ?? at) : null;
    const isLate =
      status === CAPTURED &&
      before !== CAPTURED &&
      (locked.order.status !== OrderStatus.CONFIRMED || !nextStates[before]);
    payment.isLateCapture ||= isLate;
    const isOther = paid !== expected;
    if (isLate || isOther) changeAmount(inside, locked, payment, paid);
    const details = {
      paymentId,
      ...describeChange({ status: before }, { status }),
      ...(isOther && describeChange({ amount: expected }, { amount: paid })),
      ...(isLate && { lateCapture: "true" }),
    };
    await savePayments(inside, locked, locked.payments, { action: AuditAction.PAYMENT_SETTLED, details, at });
    return orderId;
  });
}

function checkChange({ status: before, amount: expected }: Payment, status: PaymentStatus, paid: string): void {
  if (before === CAPTURED && paid !== expected) {
    throw new AppError("INVALID_STATE", "The payment is CAPTURED: its amount cannot change", {
      hint: "To record another capture, use recordPayment.",
    });
  }
  if (before === status || status === CAPTURED || nextStates[before]?.includes(status)) return;
  throw new AppError("INVALID_STATE", `The payment is ${before}: it cannot become ${status}`);
}

/** Sets the captured amount. The rounding of cash is computed again, because the order was settled without it. */
function changeAmount({ shop }: Operation, { order, payments }: LockedOrder, payment: Payment, paid: string): void {
  const others = payments.filter((each) => each !== payment);
  applyRounding(order, others, shop);
  const open = openAmount({ totalAmount: order.totalAmount, payments: others });
  const isOpen = order.status === OrderStatus.CONFIRMED && open.gt(0);
  payment.amount = paid;
  payment.roundingAmount = inCurrency(isOpen ? roundingOf(payment, open, shop.cashRounding) : "0", shop);
}

async function findOrderId({ em, shop }: Operation, paymentId: string): Promise<string> {
  const found = isId(paymentId)
    ? await kysely(em)
        .selectFrom("payments")
        .select("order_id")
        .where("shop_id", "=", shop.id)
        .where("id", "=", paymentId)
        .executeTakeFirst()
    : undefined;
  if (!found) throw new AppError("NOT_FOUND", "Payment not found");
  return found.order_id;
}
