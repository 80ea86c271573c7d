import type { EntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import { AppError, invalidInput } from "../../model/errors.ts";
import { Big, inCurrency } from "../../../platform/money.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { parseInput } from "../../validation/input.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { refuseMore } from "./refuse-more.ts";
import { checkPayments, insertPayments, newPaymentSchema, takeStoreCredit } from "./add-payments.ts";
import { auditTarget, lockOrder, saveOrder, type LockedOrder } from "../changes/lock-order.ts";
import { nextNumber } from "../numbers/numbers.ts";
import { paymentStatusOf, type PaymentAmounts } from "../order-states.ts";
import { Channel, OrderStatus, OrderPaymentStatus } from "../../model/orders/order.enums.ts";

export type RecordPaymentRequest = z.input<typeof newPaymentSchema>;

/**
 * Records a payment towards an order. The one that completes it emits `order.paid` and, for a sale at a till,
 * prints a receipt number.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE; VERSION_CONFLICT; INSUFFICIENT_STORE_CREDIT; LIMIT_REACHED
 */
export async function recordPayment(
  em: EntityManager,
  shop: Shop,
  author: Author,
  orderId: string,
  request: RecordPaymentRequest,
  { expectedVersion, claim }: { expectedVersion?: number | null; claim?: IdempotencyClaim } = {},
): Promise<void> {
  const input = parseInput(newPaymentSchema, request);
  const once = { shopId: shop.id, claim, operation: "recordPayment", input: { orderId, ...input } };
  await em.transactional((transaction) =>
    runIdempotent(transaction, once, async () => {
      const order = await lockOrder(transaction, shop, orderId, expectedVersion);
      checkPayable(order);
      refuseMore(order.payments.length, "payments");
      const issues = checkPayments(order, [input], { shop, author, pathOf: (_index, field) => field });
      if (issues.length > 0) throw invalidInput(issues);
      const at = await databaseTime(transaction);
      await takeStoreCredit(transaction, shop, author, order, [input], at);
      await insertPayments(transaction, shop, author, order.id, [input], at);
      await savePayments(transaction, shop, order, [...order.payments, { ...input, refundedAmount: "0" }], at);
      await recordAudit(transaction, shop.id, author, {
        action: AuditAction.PAYMENT_RECORDED,
        target: auditTarget(order),
        details: { method: input.method, status: input.status, amount: inCurrency(input.amount, shop) },
        at,
      });
      return null;
    }),
  );
}

function checkPayable(order: LockedOrder): void {
  if (order.status !== OrderStatus.CONFIRMED) {
    throw new AppError("INVALID_STATE", `The order is ${order.status}: it cannot be paid`);
  }
  if (new Big(order.refundedAmount).gt(0)) {
    throw new AppError("INVALID_STATE", "The order has refunds: it cannot be paid any further");
  }
}

/** Brings an order to what its payments now are. */
export async function savePayments(
  em: EntityManager,
  shop: Shop,
  order: LockedOrder,
  payments: readonly PaymentAmounts[],
  at: Date,
): Promise<void> {
  const paymentStatus = paymentStatusOf(order.totalAmount, payments);
  const becomesPaid = paymentStatus === OrderPaymentStatus.PAID && order.paymentStatus !== OrderPaymentStatus.PAID;
  const printsReceipt = becomesPaid && order.channel === Channel.POS && order.receiptNumber === null;
  const receiptNumber = printsReceipt ? await nextNumber(em, shop.id, "RECEIPT") : order.receiptNumber;
  const topic = becomesPaid ? "order.paid" : "order.updated";
  await saveOrder(em, shop, order, { paymentStatus, receiptNumber }, { events: [{ topic }], at });
}
