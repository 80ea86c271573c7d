import { z } from "zod";
import type { InputIssue } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import { Big, inCurrency, sum } from "../../../platform/money.ts";
import { amount, checkDecimals } from "../../validation/amount.ts";
import { Permission } from "../../model/permissions.ts";
import { describeMoneyLeft } from "../../access/describe-left.ts";
import type { Operation } from "../../access/operation.ts";
import { changeStoreCredit } from "../../customers/store-credit/change-store-credit.ts";
import { text } from "../../validation/input.ts";
import { coveredAmount, type PaymentAmounts } from "../order-states.ts";
import { PaymentMethod, PaymentStatus } from "../../model/orders/payment.enums.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { Payment } from "../../model/orders/payment.entity.ts";

export const newPaymentSchema = z.strictObject({
  method: z.enum(PaymentMethod),
  amount: amount({ moreThan: 0 }),
  status: z
    .enum([PaymentStatus.PENDING, PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED])
    .default(PaymentStatus.CAPTURED),
  reference: text({ min: 1, max: 255 }).nullish(),
});

export type NewPayment = z.output<typeof newPaymentSchema>;

interface PayableOrder extends Pick<Order, "id" | "totalAmount"> {
  customerId: string | null;
  payments: readonly PaymentAmounts[];
}

/** Checks payments for an order, beyond their schema. */
export function checkPayments(
  { shop, actor }: Operation,
  order: PayableOrder,
  payments: readonly NewPayment[],
  pathOf: (index: number, field: string) => string,
): InputIssue[] {
  const issues: InputIssue[] = [];
  let open = new Big(order.totalAmount).minus(coveredAmount(order.payments));
  payments.forEach((payment, index) => {
    const path = pathOf(index, "amount");
    issues.push(...checkDecimals(path, payment.amount, shop));
    if (open.lt(payment.amount)) {
      const message = `Must not exceed the amount left to pay${describeMoneyLeft(actor, Permission.READ_ORDERS, open, shop)}`;
      issues.push({ path, code: "too_big", message });
    }
    open = open.minus(payment.amount);
    if (payment.method !== PaymentMethod.STORE_CREDIT) return;
    if (order.customerId === null) {
      const message = "Store credit requires an order with a customer";
      issues.push({ path: pathOf(index, "method"), code: "invalid_value", message });
    }
    if (payment.status !== PaymentStatus.CAPTURED) {
      const message = "Must be CAPTURED for store credit";
      issues.push({ path: pathOf(index, "status"), code: "invalid_value", message });
    }
  });
  return issues;
}

/**
 * Deducts the store credit payments from the customer, in a single change.
 *
 * @throws AppError INSUFFICIENT_STORE_CREDIT
 */
export async function takeStoreCredit(
  operation: Operation,
  order: PayableOrder,
  payments: readonly NewPayment[],
  at: Date,
): Promise<void> {
  const credit = payments.filter(({ method }) => method === PaymentMethod.STORE_CREDIT);
  if (credit.length === 0) return;
  await changeStoreCredit(operation, {
    customerId: order.customerId!,
    amount: new Big(sum(credit.map((payment) => payment.amount))).neg().toFixed(),
    reason: "Payment",
    orderId: order.id,
    at,
  });
}

/** Inserts the payments of an order, without changing its status. */
export async function insertPayments(
  { em, shop, actor }: Operation,
  orderId: string,
  payments: readonly NewPayment[],
  at: Date,
): Promise<void> {
  if (payments.length === 0) return;
  await em.insertMany(
    Payment,
    payments.map(({ method, amount: paid, status, reference }) => ({
      shopId: shop.id,
      id: newId("pay"),
      order: [shop.id, orderId] as [string, string],
      method,
      status,
      amount: inCurrency(paid, shop),
      refundedAmount: inCurrency("0", shop),
      currency: shop.currency,
      reference: reference ?? null,
      actorId: actor.id,
      processedAt: status === PaymentStatus.CAPTURED ? at : null,
      createdAt: at,
    })),
  );
}
