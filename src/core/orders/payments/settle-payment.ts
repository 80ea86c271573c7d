import { z } from "zod";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import { PaymentStatus } from "../../model/orders/payment.enums.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { parseInput, text } from "../../validation/input.ts";
import { lockOrder } from "../changes/lock-order.ts";
import { savePayments } from "./record-payment.ts";

/** The possible next states of a payment that is not settled. The other states are final. */
const nextStates: Partial<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  [PaymentStatus.PENDING]: [
    PaymentStatus.AUTHORIZED,
    PaymentStatus.CAPTURED,
    PaymentStatus.FAILED,
    PaymentStatus.VOIDED,
  ],
  [PaymentStatus.AUTHORIZED]: [PaymentStatus.CAPTURED, PaymentStatus.FAILED, PaymentStatus.VOIDED],
};

const settlePaymentSchema = z.strictObject({
  status: z.enum([PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED, PaymentStatus.FAILED, PaymentStatus.VOIDED]),
  reference: text({ min: 1, max: 255 }).nullish(),
});

export type SettlePaymentRequest = z.input<typeof settlePaymentSchema>;

/**
 * Captures, authorizes, voids or fails a payment that is not settled. Repeating it changes nothing. A payment of a
 * cancelled order can always be captured, because the payment provider has captured it then.
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
  return inTransaction(operation, async (inside) => {
    const orderId = await findOrderId(inside, paymentId);
    const locked = await lockOrder(inside, orderId, null);
    const payment = locked.payments.find(({ id }) => id === paymentId)!;
    const { status } = input;
    const reference = input.reference ?? payment.reference;
    if (payment.status === status && payment.reference === reference) return orderId;
    const isLate =
      payment.status !== status && status === PaymentStatus.CAPTURED && locked.order.status === OrderStatus.CANCELLED;
    if (payment.status !== status && !isLate && !nextStates[payment.status]?.includes(status)) {
      throw new AppError("INVALID_STATE", `The payment is ${payment.status}: it cannot become ${status}`);
    }
    const at = await databaseTime(inside.em);
    payment.status = status;
    payment.reference = reference;
    payment.isLateCapture ||= isLate;
    payment.processedAt = status === PaymentStatus.CAPTURED ? (payment.processedAt ?? at) : null;
    const details = { paymentId, status, ...(isLate && { lateCapture: "true" }) };
    await savePayments(inside, locked, locked.payments, { action: AuditAction.PAYMENT_SETTLED, details, at });
    return orderId;
  });
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
