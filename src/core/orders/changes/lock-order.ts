import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import type { Operation } from "../../access/operation.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { OrderItem } from "../../model/orders/order-item.entity.ts";
import { Order } from "../../model/orders/order.entity.ts";
import { Payment } from "../../model/orders/payment.entity.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { topics, type ChangedField } from "../../model/webhooks/topics.ts";
import { checkVersion } from "../../validation/changes.ts";
import { recordEvent } from "../../webhooks/events/record-event.sql.ts";
import { Big, inCurrency, type Currency } from "../../../platform/money.ts";
import { roundingAmount, type PaymentRounding } from "../order-states.ts";

/** An order that this transaction has locked, with its lines and payments: nobody else can change them. */
export interface LockedOrder {
  order: Order;
  /** In display order. */
  items: OrderItem[];
  /** Oldest first. */
  payments: Payment[];
}

/** @throws AppError NOT_FOUND; VERSION_CONFLICT when the expected version differs */
export async function lockOrder(
  { em, shop }: Operation,
  id: string,
  expectedVersion: number | null | undefined,
): Promise<LockedOrder> {
  const key = { shopId: shop.id, id };
  const order = isId(id) ? await em.findOne(Order, key, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
  if (!order) throw new AppError("NOT_FOUND", "Order not found");
  checkVersion(order, expectedVersion);
  const ofOrder = { shopId: shop.id, order: [shop.id, id] as [string, string] };
  const items = await em.find(OrderItem, ofOrder, { orderBy: { position: "asc" } });
  const payments = await em.find(Payment, ofOrder, { orderBy: { createdAt: "asc", id: "asc" } });
  return { order, items, payments };
}

export type OrderEvent =
  | { topic: "order.updated" | "order.paid" | "order.cancelled"; refund?: never }
  | { topic: "order.refunded"; refund: { refundId: string; amount: number; currency: string } };

export interface OrderUpdate {
  /** Each event raises the order's version. */
  events: readonly OrderEvent[];
  /** What was inserted, or changed by SQL. */
  also?: readonly ("payments" | "refunds" | "metadata")[];
  action: AuditAction;
  details: AuditDetails;
  at: Date;
}

/** Writes the changes of a locked order, its lines and payments, and records the events and the audit entry. */
export async function saveOrder(
  operation: Operation,
  { order }: LockedOrder,
  { events, also, action, details, at }: OrderUpdate,
): Promise<void> {
  const { em } = operation;
  const { id, orderNumber } = order;
  const before = order.version;
  const changed = changedFields(em, order, also);
  order.version = before + events.length;
  order.updatedAt = at;
  await em.flush();
  for (const [index, { topic, refund }] of events.entries()) {
    const data = { orderId: id, orderNumber, version: before + index + 1, ...refund };
    await recordEvent(operation, { topic, data, createdAt: at, ...(topic === "order.updated" && { changed }) });
  }
  const target = { id, name: orderNumber };
  await recordAudit(operation, { action, target, details, at });
}

/** The fields that the transaction has changed in the order, its lines and payments, but not yet written. */
function changedFields(em: EntityManager, order: Order, also: readonly string[] = []): ChangedField<"order.updated">[] {
  const work = em.getUnitOfWork();
  work.computeChangeSets();
  const names = work.getChangeSets().flatMap(({ entity, payload }) => {
    if (entity instanceof OrderItem) return "items";
    if (entity instanceof Payment) return "payments";
    return entity === order ? Object.keys(payload) : [];
  });
  const changed = new Set([...names, ...also]);
  return topics["order.updated"].fields.filter((field) => changed.has(field));
}

/** Updates the rounding of an order, which is part of its total, from its payments. */
export function applyRounding(order: Order, payments: readonly PaymentRounding[], shop: Currency): void {
  const rounding = roundingAmount(payments);
  const exact = new Big(order.totalAmount).minus(order.roundingAmount);
  order.totalAmount = inCurrency(exact.plus(rounding), shop);
  order.roundingAmount = inCurrency(rounding, shop);
}

/** The maximum number of payments, and of refunds, of an order, because an order is read with all of them. */
const MAX_PARTS = 250;

/** @throws AppError LIMIT_REACHED when a locked order has the maximum already */
export function requireBelowLimit(count: number, what: "payments" | "refunds"): void {
  if (count >= MAX_PARTS) throw new AppError("LIMIT_REACHED", `An order can have at most ${MAX_PARTS} ${what}`);
}
