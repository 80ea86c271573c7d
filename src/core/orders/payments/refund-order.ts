import { Big, inCurrency, sum } from "../../../platform/money.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { newId } from "../../model/ids.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import { Refund, RefundItem, RefundPayment } from "../../model/orders/payment.entity.ts";
import { StockReason } from "../../model/products/stock-change.entity.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { voidOpenPayments, restock } from "../changes/cancel-order.ts";
import { lockOrder, saveOrder, type LockedOrder, type OrderEvent, requireBelowLimit } from "../changes/lock-order.ts";
import { fulfillmentStatusOf, heldAmount, isReturned, paymentStatusOf } from "../order-states.ts";
import {
  planRefund,
  refundOrderSchema,
  type RefundInput,
  type RefundOrderRequest,
  type RefundPlan,
} from "./plan-refund.ts";
import { changeStoreCredit } from "../../customers/store-credit/change-store-credit.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { PaymentMethod } from "../../model/orders/payment.enums.ts";
import { overpaidAmount } from "./refund-lines.ts";
import type { Share } from "./share-refund.ts";

/**
 * Refunds an amount, or the price of units, through the order's payments from the oldest, or through a given one. With
 * the amount 0, units are returned without money. An order without remaining units and without unrefunded payments
 * ends: REFUNDED if its whole total was refunded, else CANCELLED.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE when no captured amount remains to be
 * refunded, or for units of a cancelled order; LIMIT_REACHED
 */
export async function refundOrder(
  operation: Operation,
  orderId: string,
  request: RefundOrderRequest,
  { expectedVersion, claim }: { expectedVersion?: number | null; claim?: IdempotencyClaim } = {},
): Promise<void> {
  const input = parseInput(refundOrderSchema, request);
  const once = { shopId: operation.shop.id, claim, operation: "refundOrder", input: { orderId, ...input } };
  await inTransaction(operation, (inside) =>
    runIdempotent(inside.em, once, async () => {
      await refund(inside, await lockOrder(inside, orderId, expectedVersion), input);
      return null;
    }),
  );
}

async function refund(operation: Operation, locked: LockedOrder, input: RefundInput): Promise<void> {
  const { em, shop, actor } = operation;
  const { order } = locked;
  const before = order.status;
  requireBelowLimit(await em.count(Refund, { shopId: shop.id, order: [shop.id, order.id] }), "refunds");
  const plan = planRefund(operation, { status: before, ...locked }, input);
  const { total } = plan;
  const at = await databaseTime(em);
  const refundId = newId("ref");
  await em.insert(Refund, {
    shopId: shop.id,
    id: refundId,
    order: [shop.id, order.id],
    amount: total,
    surplusAmount: plan.surplus,
    taxAmount: inCurrency(sum(plan.lines.values().map(({ taxAmount }) => taxAmount)), shop),
    currency: order.currency,
    reason: input.reason ?? null,
    actorId: actor.id,
    createdAt: at,
  });
  await returnUnits(operation, locked, { refundId, plan, input });
  await returnMoney(operation, order, { refundId, shares: plan.shares, at });
  order.refundedAmount = inCurrency(sum([order.refundedAmount, total]), shop);
  const isCalledOff = await settleRefunded(operation, locked, { reason: input.reason, at });
  const events: OrderEvent[] = [];
  if (new Big(total).gt(0)) {
    events.push({ topic: "order.refunded", refund: { refundId, amount: Number(total), currency: order.currency } });
  }
  if (isCalledOff) events.push({ topic: "order.cancelled" });
  else if (events.length === 0) events.push({ topic: "order.updated" });
  const details = { refundId, amount: total, ...(order.status !== before && { status: order.status }) };
  await saveOrder(operation, locked, { events, also: ["refunds"], action: AuditAction.ORDER_REFUNDED, details, at });
}

async function returnUnits(
  operation: Operation,
  locked: LockedOrder,
  { refundId, plan, input }: { refundId: string; plan: RefundPlan; input: RefundInput },
): Promise<void> {
  const { em, shop } = operation;
  for (const item of locked.items) {
    item.refundedQuantity += plan.units.get(item.id) ?? 0;
    item.refundedAmount = inCurrency(sum([item.refundedAmount, plan.lines.get(item.id)!.amount]), shop);
  }
  const items = input.items ?? [];
  if (items.length === 0) return;
  const back = new Map(items.filter((item) => item.restock).map(({ itemId, quantity }) => [itemId, quantity]));
  const restocked = await restock(operation, locked, back, StockReason.RETURNED);
  await em.insertMany(
    RefundItem,
    items.map(({ itemId, quantity }) => ({
      shopId: shop.id,
      refundId,
      itemId,
      quantity,
      taxAmount: plan.lines.get(itemId)!.taxAmount,
      restocked: restocked.has(itemId),
    })),
  );
}

/** Updates an order's status from its lines and payments. Returns true when that cancels it. */
async function settleRefunded(
  operation: Operation,
  locked: LockedOrder,
  cancellation: { reason: string | null | undefined; at: Date },
): Promise<boolean> {
  const { order, items, payments } = locked;
  order.paymentStatus = paymentStatusOf(order, payments);
  order.overpaidAmount = inCurrency(overpaidAmount({ ...locked, status: order.status }), operation.shop);
  if (order.status === OrderStatus.CANCELLED) return false;
  order.fulfillmentStatus = fulfillmentStatusOf(items);
  const refunded = new Big(order.refundedAmount);
  const holdsNothing = new Big(heldAmount(payments)).eq(0);
  const isRefunded =
    order.status === OrderStatus.REFUNDED || (holdsNothing && refunded.gt(0) && refunded.gte(order.totalAmount));
  if (isRefunded) order.status = OrderStatus.REFUNDED;
  const isCalledOff = !isRefunded && isReturned(items) && holdsNothing;
  if (isCalledOff) await voidOpenPayments(operation, locked, cancellation);
  return isCalledOff;
}

/** Records the refunded amounts on the payments. Store credit is added to the customer's ledger. */
export async function returnMoney(
  operation: Operation,
  order: Order,
  { refundId, shares, at }: { refundId: string; shares: readonly Share[]; at: Date },
): Promise<void> {
  const { em, shop } = operation;
  const paid = shares.filter(({ amount }) => new Big(amount).gt(0));
  if (paid.length > 0) {
    await em.insertMany(
      RefundPayment,
      paid.map(({ payment, amount }) => ({ shopId: shop.id, refundId, paymentId: payment.id, amount })),
    );
  }
  for (const { payment, amount, roundingAmount } of shares) {
    payment.refundedAmount = inCurrency(sum([payment.refundedAmount, amount]), shop);
    payment.refundedRoundingAmount = inCurrency(sum([payment.refundedRoundingAmount, roundingAmount]), shop);
  }
  const credit = sum(
    shares.filter(({ payment }) => payment.method === PaymentMethod.STORE_CREDIT).map(({ amount }) => amount),
  );
  if (new Big(credit).eq(0)) return;
  await changeStoreCredit(operation, {
    customerId: order.customer!.id,
    amount: credit,
    reason: "Refund",
    orderId: order.id,
    at,
  });
}
