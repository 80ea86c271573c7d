import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely } from "../../queries/database.ts";
import { parseInput, text } from "../../validation/input.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { auditTarget, lockOrder } from "../changes/lock-order.ts";
import { PaymentStatus } from "../../model/orders/payment.enums.ts";
import { Payment } from "../../model/orders/payment.entity.ts";
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
 * Says what became of a payment that was pending or authorized. The same again changes nothing.
 *
 * @returns the id of the payment's order
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE when the payment cannot come there
 */
export async function settlePayment(
  em: EntityManager,
  shop: Shop,
  author: Author,
  paymentId: string,
  request: SettlePaymentRequest,
): Promise<string> {
  const input = parseInput(settlePaymentSchema, request);
  return em.transactional(async (transaction) => {
    const order = await lockOrder(transaction, shop, await findOrderId(transaction, shop.id, paymentId), null);
    const payment = order.payments.find(({ id }) => id === paymentId)!;
    const { status } = input;
    const reference = input.reference ?? payment.reference;
    if (payment.status === status && payment.reference === reference) return order.id;
    if (payment.status !== status && !nextStates[payment.status]?.includes(status)) {
      throw new AppError("INVALID_STATE", `The payment is ${payment.status}: it cannot become ${status}`);
    }
    const at = await databaseTime(transaction);
    await transaction.nativeUpdate(
      Payment,
      { shopId: shop.id, id: paymentId },
      { status, reference, processedAt: status === PaymentStatus.CAPTURED ? (payment.processedAt ?? at) : null },
    );
    const payments = order.payments.map((other) => (other === payment ? { ...payment, status } : other));
    await savePayments(transaction, shop, order, payments, at);
    const details = { paymentId, status };
    const target = auditTarget(order);
    await recordAudit(transaction, shop.id, author, { action: AuditAction.PAYMENT_SETTLED, target, details, at });
    return order.id;
  });
}

async function findOrderId(em: EntityManager, shopId: string, paymentId: string): Promise<string> {
  const found = isId(paymentId)
    ? await kysely(em)
        .selectFrom("payments")
        .select("order_id")
        .where("shop_id", "=", shopId)
        .where("id", "=", paymentId)
        .executeTakeFirst()
    : undefined;
  if (!found) throw new AppError("NOT_FOUND", "Payment not found");
  return found.order_id;
}
