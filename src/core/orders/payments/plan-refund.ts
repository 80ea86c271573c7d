import { z } from "zod";
import { AppError, invalidInput } from "../../model/errors.ts";
import { Big, inCurrency, sum } from "../../../platform/money.ts";
import type { Operation } from "../../access/operation.ts";
import { Permission } from "../../model/permissions.ts";
import { describeMoneyLeft } from "../../access/actor.ts";
import { amount, checkDecimals } from "../../validation/amount.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import { unitsByItem } from "../changes/fulfill-order.ts";
import { heldAmount } from "../order-states.ts";
import { refundOfUnits } from "../price-order.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import type { OrderItem } from "../../model/orders/order-item.entity.ts";
import { shareOverLines, type LineShare, type RefundableLine } from "./refund-lines.ts";
import { shareRefund, type RefundablePayment, type Share } from "./share-refund.ts";

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
interface RefundableOrder extends Pick<Order, "status"> {
  items: readonly (RefundableLine & Pick<OrderItem, "quantity" | "refundedQuantity">)[];
  payments: readonly RefundablePayment[];
}

/** The amounts and units of a refund, by line. */
export interface RefundPlan {
  units: ReadonlyMap<string, number>;
  lines: ReadonlyMap<string, LineShare>;
  total: string;
  /** The part of the total that is no line's price. */
  surplus: string;
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
 * @throws AppError VALIDATION_FAILED; INVALID_STATE when no captured amount remains to be refunded, or for units of a
 * cancelled order
 */
export function planRefund(operation: Operation, order: RefundableOrder, input: RefundInput): RefundPlan {
  const { shop, actor } = operation;
  if (order.status === OrderStatus.CANCELLED) checkLateRefund(operation, order, input);
  const units = unitsByItem(order.items, actor, input.items ?? [], (item) => item.quantity - item.refundedQuantity);
  const issues = checkDecimals("amount", input.amount, shop);
  if (input.paymentId != null && !order.payments.some(({ id }) => id === input.paymentId)) {
    issues.push({ path: "paymentId", code: "not_found", message: "The order has no payment with this ID" });
  }
  if (issues.length > 0) throw invalidInput(issues);
  const prices = pricesOf(operation, order, units);
  const wanted = input.amount == null ? { price: sum(prices.values()) } : { amount: input.amount };
  const shares = shareRefund(operation, order.payments, { ...wanted, paymentId: input.paymentId });
  const total = inCurrency(sum(shares.map((share) => share.amount)), shop);
  if (input.amount != null && new Big(total).eq(0) && new Big(input.amount).gt(0)) {
    throw invalidInput([
      { path: "amount", code: "too_small", message: `Is rounded to ${total} ${shop.currency} in cash` },
    ]);
  }
  const money = { money: total, rounding: sum(shares.map((share) => share.roundingAmount)) };
  const lines = shareOverLines(order, money, prices, shop);
  const priced = sum([money.rounding, ...lines.values().map((line) => line.amount)]);
  return { units, lines, total, surplus: inCurrency(new Big(total).minus(priced), shop), shares };
}

/** A cancelled order only has late captures to refund: the cancellation returned its units. */
function checkLateRefund({ shop, actor }: Operation, { payments }: RefundableOrder, { items }: RefundInput): void {
  const held = new Big(heldAmount(payments));
  if (held.eq(0)) throw new AppError("INVALID_STATE", "The order is CANCELLED: it has no payments left to refund");
  if (items == null) return;
  const left = describeMoneyLeft(actor, Permission.READ_ORDERS, held, shop);
  throw new AppError("INVALID_STATE", `The order is CANCELLED: only an amount can be refunded${left}`);
}

function pricesOf({ shop }: Operation, { items }: RefundableOrder, units: ReadonlyMap<string, number>) {
  return new Map(items.map((item) => [item.id, refundOfUnits(item, units.get(item.id) ?? 0, shop)]));
}
