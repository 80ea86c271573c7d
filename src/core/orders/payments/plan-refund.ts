import { z } from "zod";
import { AppError, invalidInput } from "../../model/errors.ts";
import { Big, inCurrency, sum } from "../../../platform/money.ts";
import type { Operation } from "../../access/operation.ts";
import { Permission } from "../../model/permissions.ts";
import { describeMoneyLeft } from "../../access/describe-left.ts";
import { amount, checkDecimals } from "../../validation/amount.ts";
import { parseInput, text } from "../../validation/input.ts";
import { unitsByItem } from "../changes/fulfill-order.ts";
import { refundOfUnits } from "../price-order.ts";
import type { OrderItem } from "../../model/orders/order-item.entity.ts";
import type { Payment } from "../../model/orders/payment.entity.ts";
import { PaymentStatus } from "../../model/orders/payment.enums.ts";

export const refundOrderSchema = z
  .strictObject({
    amount: amount({ atLeast: 0 }).nullish(),
    items: z
      .array(z.strictObject({ itemId: z.string(), quantity: z.int().min(1), restock: z.boolean().default(true) }))
      .min(1)
      .max(250)
      .nullish(),
    paymentId: z.string().nullish(),
    reason: text({ min: 1, max: 500 }).nullish(),
  })
  .refine((input) => input.amount != null || input.items != null, {
    path: ["amount"],
    error: "Is required without items",
    params: { code: "required" },
  })
  .refine((input) => input.amount == null || input.items != null || new Big(input.amount).gt(0), {
    path: ["amount"],
    error: "Must be more than 0 without items",
    params: { code: "too_small" },
  });

export type RefundInput = z.output<typeof refundOrderSchema>;
export type RefundOrderRequest = z.input<typeof refundOrderSchema>;

/** The parts of an order that determine what can be refunded. */
interface RefundableOrder {
  items: readonly Pick<OrderItem, "id" | "quantity" | "refundedQuantity" | "totalAmount">[];
  payments: readonly RefundablePayment[];
}

type RefundablePayment = Pick<Payment, "id" | "method" | "status" | "amount" | "refundedAmount">;

/** The part of a refund that is refunded through one payment. */
export interface Share {
  payment: RefundablePayment;
  amount: string;
}

/** The amounts and units of a refund. */
interface RefundPlan {
  units: ReadonlyMap<string, number>;
  total: string;
  shares: Share[];
}

/** The amount that `refundOrder` would refund. @throws AppError as `refundOrder` does, for the same input */
export function amountToRefund(operation: Operation, order: RefundableOrder, request: RefundOrderRequest): string {
  return planRefund(operation, order, parseInput(refundOrderSchema, request)).total;
}

/**
 * Plans a refund of an amount, or of the price of units, through the order's payments from the oldest, or through a
 * given one.
 *
 * @throws AppError VALIDATION_FAILED; INVALID_STATE when no captured amount remains to be refunded
 */
export function planRefund(operation: Operation, order: RefundableOrder, input: RefundInput): RefundPlan {
  const { shop, actor } = operation;
  const units = unitsByItem(order.items, actor, input.items ?? [], (item) => item.quantity - item.refundedQuantity);
  const issues = checkDecimals("amount", input.amount, shop);
  if (input.paymentId != null && !order.payments.some(({ id }) => id === input.paymentId)) {
    issues.push({ path: "paymentId", code: "not_found", message: "The order has no payment with this ID" });
  }
  if (issues.length > 0) throw invalidInput(issues);
  const total = inCurrency(input.amount ?? worthOf(operation, order, units), shop);
  return { units, total, shares: shareOut(operation, order, { ...input, total }) };
}

function worthOf({ shop }: Operation, order: RefundableOrder, units: ReadonlyMap<string, number>): string {
  return sum(
    order.items.flatMap((item) => {
      const quantity = units.get(item.id);
      return quantity === undefined ? [] : [refundOfUnits(item, quantity, shop)];
    }),
  );
}

/** Distributes the total over the unrefunded amounts of the payments. */
function shareOut(
  { shop, actor }: Operation,
  order: RefundableOrder,
  { total, amount: given, paymentId }: RefundInput & { total: string },
): Share[] {
  if (new Big(total).eq(0)) return [];
  const shares: Share[] = [];
  let open = new Big(total);
  let held = new Big(0);
  for (const payment of order.payments) {
    if (payment.status !== PaymentStatus.CAPTURED || (paymentId != null && payment.id !== paymentId)) continue;
    const left = new Big(payment.amount).minus(payment.refundedAmount);
    held = held.plus(left);
    const share = left.lt(open) ? left : open;
    if (share.gt(0)) shares.push({ payment, amount: inCurrency(share, shop) });
    open = open.minus(share);
  }
  if (held.eq(0)) {
    throw new AppError("INVALID_STATE", "The order has no payments left to refund", {
      hint: "Set amount to 0 to return units without money.",
    });
  }
  if (open.eq(0)) return shares;
  const left = `the captured amount that is not refunded yet${describeMoneyLeft(actor, Permission.READ_ORDERS, held, shop)}`;
  throw invalidInput([
    given == null
      ? { path: "items", code: "too_big", message: `Must not cost more than ${left}. Set an amount to refund less` }
      : { path: "amount", code: "too_big", message: `Must not exceed ${left}` },
  ]);
}
