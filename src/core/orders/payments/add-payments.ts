import { z } from "zod";
import { invalidInput, type InputIssue } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import { Big, inCurrency, sum } from "../../../platform/money.ts";
import { amount, checkDecimals, checkDigits } from "../../validation/amount.ts";
import { Permission } from "../../model/permissions.ts";
import { describeMoneyLeft } from "../../access/actor.ts";
import type { Operation } from "../../access/operation.ts";
import { changeStoreCredit } from "../../customers/store-credit/change-store-credit.ts";
import { text } from "../../model/text.ts";
import { refundedAmount, type PaymentAmounts } from "../order-states.ts";
import { PaymentMethod, PaymentStatus } from "../../model/orders/payment.enums.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { Payment } from "../../model/orders/payment.entity.ts";
import { openAmount, settlingAmount } from "./amount-to-pay.ts";
import { roundFor, roundingOf } from "./cash-rounding.ts";

export const newPaymentSchema = z
  .strictObject({
    method: z.enum(PaymentMethod),
    amount: amount({ moreThan: 0 }).nullish(),
    status: z
      .enum([PaymentStatus.PENDING, PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED])
      .default(PaymentStatus.CAPTURED),
    reference: text({ min: 1, max: 255 }).nullish(),
    allowOverpayment: z.boolean().default(false),
    tendered: amount({ moreThan: 0 }).nullish(),
  })
  .refine(
    ({ tendered, method, status }) =>
      tendered == null || (method === PaymentMethod.CASH && status === PaymentStatus.CAPTURED),
    { path: ["tendered"], error: "Must be omitted unless the method is CASH and the status is CAPTURED" },
  );

export type NewPayment = z.output<typeof newPaymentSchema>;

const byProvider = new Set<PaymentMethod>([PaymentMethod.CARD, PaymentMethod.GIFT_CARD, PaymentMethod.OTHER]);

/** True for money that has been received and cannot be refused, unlike cash and store credit. */
export function isReceived({ status, method }: Pick<NewPayment, "status" | "method">): boolean {
  return status === PaymentStatus.CAPTURED && byProvider.has(method);
}

const OVERPAYMENT_HINT = "If you have received more than the amount left to pay, set allowOverpayment.";

/** A payment of an order, with its amount, and its rounding if it settles the order in cash. */
export interface PlannedPayment
  extends Omit<NewPayment, "amount">, Pick<Payment, "amount" | "roundingAmount" | "isLateCapture"> {}

/** The refunds of a new payment. */
export const unrefunded = { refundedAmount: "0", refundedRoundingAmount: "0" };

interface PayableOrder extends Pick<Order, "id" | "status" | "totalAmount"> {
  customerId: string | null;
  payments: readonly PaymentAmounts[];
}

/**
 * Plans payments for an order, one after the other. One without an amount pays what is left.
 *
 * @throws AppError VALIDATION_FAILED
 */
export function planPayments(
  operation: Operation,
  order: PayableOrder,
  payments: readonly NewPayment[],
  pathOf: (index: number, field: string) => string,
): PlannedPayment[] {
  const { shop } = operation;
  const issues: InputIssue[] = [];
  let open = openAmount(order);
  const hasNoRefunds = new Big(refundedAmount(order.payments)).eq(0);
  const planned = payments.map((given, index) => {
    const path = (field: string) => pathOf(index, field);
    const isExpected = order.status === OrderStatus.CONFIRMED && hasNoRefunds && open.gt(0);
    if (given.amount == null && !isExpected) {
      issues.push({ path: path("amount"), code: "required", message: "Is required, because nothing is left to pay" });
    }
    const payment = { ...given, amount: given.amount ?? settlingAmount(shop, open, given.method) };
    const rounding = roundingOf(payment, open, shop.cashRounding);
    const isOverpayable = payment.allowOverpayment && isReceived(payment);
    issues.push(...(isOverpayable ? checkDigits : checkDecimals)(path("amount"), payment.amount, shop));
    if (!isOverpayable && open.plus(rounding).lt(payment.amount)) {
      const left = describeOpen(operation, payment.method, open);
      issues.push({ path: path("amount"), code: "too_big", message: `Must not exceed the amount left to pay${left}` });
    }
    if (payment.method === PaymentMethod.STORE_CREDIT) issues.push(...checkStoreCredit(order, payment, path));
    issues.push(...checkTendered(operation, payment, path("tendered")));
    open = open.plus(rounding).minus(payment.amount);
    const isLateCapture = !isExpected && isReceived(payment);
    return { ...payment, roundingAmount: inCurrency(rounding, shop), isLateCapture };
  });
  const isOverpaid = issues.some(({ code }) => code === "too_big") && payments.some(isReceived);
  if (issues.length > 0) throw invalidInput(issues, isOverpaid ? OVERPAYMENT_HINT : undefined);
  return planned;
}

/** The end of a refusal with the amount that is left to pay, and what it is in cash. */
function describeOpen({ shop, actor }: Operation, method: PaymentMethod, open: Big): string {
  const left = describeMoneyLeft(actor, Permission.READ_ORDERS, open, shop);
  const rounded = roundFor(method, open, shop.cashRounding);
  if (left === "" || rounded.eq(open) || rounded.lte(0)) return left;
  return `${left}, or ${inCurrency(rounded, shop)} ${shop.currency} in cash`;
}

function checkTendered(
  { shop, actor }: Operation,
  { amount: paid, tendered }: Pick<PlannedPayment, "amount" | "tendered">,
  path: string,
): InputIssue[] {
  if (tendered == null) return [];
  if (new Big(tendered).gte(paid)) return checkDigits(path, tendered, shop);
  const least = describeMoneyLeft(actor, Permission.READ_ORDERS, new Big(paid), shop);
  return [{ path, code: "too_small", message: `Must be at least the amount of the payment${least}` }];
}

function checkStoreCredit(
  order: PayableOrder,
  payment: Pick<NewPayment, "status">,
  path: (field: string) => string,
): InputIssue[] {
  const issues: InputIssue[] = [];
  if (order.customerId === null) {
    const message = "Store credit requires an order with a customer";
    issues.push({ path: path("method"), code: "invalid_value", message });
  }
  if (payment.status !== PaymentStatus.CAPTURED) {
    issues.push({ path: path("status"), code: "invalid_value", message: "Must be CAPTURED for store credit" });
  }
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
  payments: readonly PlannedPayment[],
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
  payments: readonly PlannedPayment[],
  at: Date,
): Promise<void> {
  if (payments.length === 0) return;
  await em.insertMany(
    Payment,
    payments.map(({ method, amount: paid, tendered, roundingAmount, isLateCapture, status, reference }) => ({
      shopId: shop.id,
      id: newId("pay"),
      order: [shop.id, orderId] as [string, string],
      method,
      status,
      amount: inCurrency(paid, shop),
      tendered: tendered == null ? null : inCurrency(tendered, shop),
      refundedAmount: inCurrency("0", shop),
      roundingAmount,
      refundedRoundingAmount: inCurrency("0", shop),
      isLateCapture,
      currency: shop.currency,
      reference: reference ?? null,
      actorId: actor.id,
      processedAt: status === PaymentStatus.CAPTURED ? at : null,
      createdAt: at,
    })),
  );
}
