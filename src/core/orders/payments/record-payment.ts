import type { z } from "zod";
import { Big, inCurrency } from "../../../platform/money.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { AppError } from "../../model/errors.ts";
import { Channel, OrderStatus, OrderPaymentStatus } from "../../model/orders/order.enums.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { NotificationKind } from "../../model/notifications/notification-kind.ts";
import { recordNotices } from "../../notifications/record-notices.sql.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import {
  lockOrder,
  saveOrder,
  type LockedOrder,
  type OrderUpdate,
  applyRounding,
  requireBelowLimit,
} from "../changes/lock-order.ts";
import { nextNumber } from "../numbers.ts";
import { paymentStatusOf } from "../order-states.ts";
import {
  insertPayments,
  isReceived,
  newPaymentSchema,
  planPayments,
  takeStoreCredit,
  type NewPayment,
  unrefunded,
} from "./add-payments.ts";
import { overpaidAmount, type HeldPayment } from "./refund-lines.ts";

export type RecordPaymentRequest = z.input<typeof newPaymentSchema>;

/**
 * Records a payment for an order. The payment that completes the total emits `order.paid` and, for a sale at a till,
 * assigns a receipt number. A refunded or cancelled order accepts only late captures.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE; VERSION_CONFLICT; INSUFFICIENT_STORE_CREDIT;
 * LIMIT_REACHED
 */
export async function recordPayment(
  operation: Operation,
  orderId: string,
  request: RecordPaymentRequest,
  { expectedVersion, claim }: { expectedVersion?: number | null; claim?: IdempotencyClaim } = {},
): Promise<void> {
  const input = parseInput(newPaymentSchema, request);
  const { shop } = operation;
  const once = { shopId: shop.id, claim, operation: "recordPayment", input: { orderId, ...input } };
  await inTransaction(operation, (inside) =>
    runIdempotent(inside.em, once, async () => {
      const locked = await lockOrder(inside, orderId, expectedVersion);
      const { order, payments } = locked;
      checkPayable(order, input);
      requireBelowLimit(payments.length, "payments");
      const { status, totalAmount, customer } = order;
      const payable = { id: orderId, status, customerId: customer?.id ?? null, totalAmount, payments };
      const planned = planPayments(inside, payable, [input], (_index, field) => field);
      const at = await databaseTime(inside.em);
      await takeStoreCredit(inside, payable, planned, at);
      await insertPayments(inside, orderId, planned, at);
      const details = {
        method: input.method,
        status: input.status,
        amount: inCurrency(planned[0]!.amount, shop),
        ...(planned[0]!.isLateCapture && { lateCapture: "true" }),
      };
      const all = [...payments, ...planned.map((payment) => ({ ...payment, ...unrefunded }))];
      await savePayments(inside, locked, all, { action: AuditAction.PAYMENT_RECORDED, details, at });
      return null;
    }),
  );
}

function checkPayable({ status, refundedAmount }: Order, payment: NewPayment): void {
  if (status !== OrderStatus.CONFIRMED) {
    if (isReceived(payment)) return;
    const hint =
      "It only takes payments that a payment provider captured: CAPTURED, and neither CASH nor STORE_CREDIT.";
    throw new AppError("INVALID_STATE", `The order is ${status}: it cannot be paid`, { hint });
  }
  if (new Big(refundedAmount).gt(0) && !(payment.allowOverpayment && isReceived(payment))) {
    throw new AppError("INVALID_STATE", "The order has refunds: it cannot be paid any further", {
      hint: "To record a payment that a payment provider captured, set allowOverpayment.",
    });
  }
}

/** Updates an order from its payments, and notifies staff of new money to give back. */
export async function savePayments(
  operation: Operation,
  locked: LockedOrder,
  payments: readonly HeldPayment[],
  change: Omit<OrderUpdate, "events" | "also">,
): Promise<void> {
  const { em, shop } = operation;
  const { order } = locked;
  applyRounding(order, payments, shop);
  const paymentStatus = paymentStatusOf(order, payments);
  const becomesPaid =
    order.status === OrderStatus.CONFIRMED &&
    paymentStatus === OrderPaymentStatus.PAID &&
    order.paymentStatus !== OrderPaymentStatus.PAID;
  const printsReceipt = becomesPaid && order.channel === Channel.POS && order.receiptNumber === null;
  order.paymentStatus = paymentStatus;
  const overpaid = inCurrency(overpaidAmount({ ...locked, status: order.status, payments }), shop);
  if (new Big(overpaid).gt(order.overpaidAmount)) {
    const details = { amount: `${overpaid} ${shop.currency}` };
    const target = { id: order.id, name: order.orderNumber };
    await recordNotices(em, shop.id, [{ kind: NotificationKind.ORDER_OVERPAID, target, details }]);
  }
  order.overpaidAmount = overpaid;
  if (printsReceipt) order.receiptNumber = await nextNumber(operation, "RECEIPT");
  const events = [{ topic: becomesPaid ? "order.paid" : "order.updated" }] as const;
  await saveOrder(operation, locked, { ...change, events, also: ["payments"] });
}
