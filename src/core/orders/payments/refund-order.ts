import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import { Big, inCurrency, sum } from "../../../platform/money.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { parseInput } from "../../validation/input.ts";
import { StockReason } from "../../model/products/stock-change.entity.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { callOff } from "../changes/cancel-order.ts";
import { addUnits } from "../changes/fulfill-order.ts";
import {
  auditTarget,
  lockOrder,
  saveOrder,
  type LockedOrder,
  type OrderChange,
  type OrderEvent,
} from "../changes/lock-order.ts";
import { fulfillmentStatusOf, heldAmount, isReturned, paymentStatusOf } from "../order-states.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import { Refund, RefundItem } from "../../model/orders/payment.entity.ts";
import { restock } from "../changes/restock.ts";
import { refuseMore } from "./refuse-more.ts";
import { planRefund, refundOrderSchema, type RefundInput, type RefundOrderRequest, type Share } from "./plan-refund.ts";
import { returnMoney } from "./return-money.ts";

/**
 * Gives money back: an amount, or what the named units cost, through the order's payments from the oldest on unless one
 * is named. For the amount 0, units come back without money. An order whose units are all back, and of which no money
 * is held, ends: REFUNDED when all that it cost was refunded, else CANCELLED.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE when the order is cancelled, or no
 *   money is held that could be refunded; LIMIT_REACHED
 */
export async function refundOrder(
  em: EntityManager,
  shop: Shop,
  author: Author,
  orderId: string,
  request: RefundOrderRequest,
  { expectedVersion, claim }: { expectedVersion?: number | null; claim?: IdempotencyClaim } = {},
): Promise<void> {
  const input = parseInput(refundOrderSchema, request);
  const once = { shopId: shop.id, claim, operation: "refundOrder", input: { orderId, ...input } };
  await em.transactional((transaction) =>
    runIdempotent(transaction, once, async () => {
      const order = await lockOrder(transaction, shop, orderId, expectedVersion);
      await refund(transaction, shop, author, order, input);
      return null;
    }),
  );
}

async function refund(
  em: EntityManager,
  shop: Shop,
  author: Author,
  order: LockedOrder,
  input: RefundInput,
): Promise<void> {
  if (order.status === OrderStatus.CANCELLED) {
    throw new AppError("INVALID_STATE", "The order is CANCELLED: it cannot be refunded");
  }
  refuseMore(await em.count(Refund, { shopId: shop.id, order: [shop.id, order.id] }), "refunds");
  const { units, total, shares } = planRefund(order, shop, author, input);
  const at = await databaseTime(em);
  const refundId = newId("ref");
  await em.insert(Refund, {
    shopId: shop.id,
    id: refundId,
    order: [shop.id, order.id],
    amount: total,
    currency: order.currency,
    reason: input.reason ?? null,
    actorId: author.id,
    createdAt: at,
  });
  await returnUnits(em, shop, author, order, { refundId, units, input });
  await returnMoney(em, shop, author, order, { refundId, shares, at });
  const status = await saveRefunded(em, shop, order, { refundId, units, shares, total, reason: input.reason, at });
  await recordAudit(em, shop.id, author, {
    action: AuditAction.ORDER_REFUNDED,
    target: auditTarget(order),
    details: { refundId, amount: total, ...(status !== order.status && { status }) },
    at,
  });
}

async function returnUnits(
  em: EntityManager,
  shop: Shop,
  author: Author,
  order: LockedOrder,
  refunded: { refundId: string; units: ReadonlyMap<string, number>; input: RefundInput },
): Promise<void> {
  const { refundId, units, input } = refunded;
  const items = input.items ?? [];
  if (items.length === 0) return;
  await addUnits(em, shop, "refunded_quantity", units);
  const back = new Map(items.filter((item) => item.restock).map(({ itemId, quantity }) => [itemId, quantity]));
  const restocked = await restock(em, shop, author, order, { units: back, reason: StockReason.RETURNED });
  await em.insertMany(
    RefundItem,
    items.map(({ itemId, quantity }) => ({
      shopId: shop.id,
      refundId,
      itemId,
      quantity,
      restocked: restocked.has(itemId),
    })),
  );
}

interface Refunded {
  refundId: string;
  units: ReadonlyMap<string, number>;
  shares: readonly Share[];
  total: string;
  reason: string | null | undefined;
  at: Date;
}

/** @returns where the order as a whole stands now */
async function saveRefunded(
  em: EntityManager,
  shop: Shop,
  order: LockedOrder,
  { refundId, units, shares, total, reason, at }: Refunded,
): Promise<OrderStatus> {
  const payments = order.payments.map((payment) => {
    const share = shares.find((candidate) => candidate.payment === payment);
    return share ? { ...payment, refundedAmount: sum([payment.refundedAmount, share.amount]) } : payment;
  });
  const items = order.items.map((item) => ({
    ...item,
    refundedQuantity: item.refundedQuantity + (units.get(item.id) ?? 0),
  }));
  const refundedAmount = inCurrency(sum([order.refundedAmount, total]), shop);
  const isRefunded = new Big(refundedAmount).gt(0) && new Big(refundedAmount).eq(order.totalAmount);
  const isCalledOff = !isRefunded && isReturned(items) && new Big(heldAmount(payments)).eq(0);
  const change: OrderChange = {
    refundedAmount,
    paymentStatus: paymentStatusOf(order.totalAmount, payments),
    fulfillmentStatus: fulfillmentStatusOf(items),
    ...(isRefunded && { status: OrderStatus.REFUNDED }),
    ...(isCalledOff && (await callOff(em, shop, order, { reason, at }))),
  };
  const events: OrderEvent[] = [];
  if (shares.length > 0) {
    events.push({ topic: "order.refunded", refund: { refundId, amount: Number(total), currency: order.currency } });
  }
  if (isCalledOff) events.push({ topic: "order.cancelled" });
  else if (shares.length === 0) events.push({ topic: "order.updated" });
  await saveOrder(em, shop, order, change, { events, at });
  return change.status ?? order.status;
}
