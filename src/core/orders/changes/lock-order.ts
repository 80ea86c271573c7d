import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { recordEvent } from "../../webhooks/events/record-event.sql.ts";
import { checkVersion } from "../../validation/expected-version.ts";
import type { FulfillmentStatus, OrderStatus, OrderPaymentStatus } from "../../model/orders/order.enums.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { Order as OrderEntity } from "../../model/orders/order.entity.ts";
import type { PaymentMethod, PaymentStatus } from "../../model/orders/payment.enums.ts";

interface LockedItem {
  id: string;
  variantId: string;
  quantity: number;
  totalAmount: string;
  fulfilledQuantity: number;
  refundedQuantity: number;
  restockedQuantity: number;
}

export interface LockedPayment {
  id: string;
  method: PaymentMethod;
  status: PaymentStatus;
  amount: string;
  refundedAmount: string;
  reference: string | null;
  processedAt: Date | null;
}

/** An order whose row this transaction has locked: nobody else changes it, its lines or its payments. */
export interface LockedOrder {
  id: string;
  orderNumber: string;
  receiptNumber: string | null;
  status: OrderStatus;
  paymentStatus: OrderPaymentStatus;
  fulfillmentStatus: FulfillmentStatus;
  channel: Order["channel"];
  currency: string;
  customerId: string | null;
  totalAmount: string;
  refundedAmount: string;
  notes: string | null;
  version: number;
  items: LockedItem[];
  payments: LockedPayment[];
}

/** @throws AppError NOT_FOUND; VERSION_CONFLICT when the caller expects another version */
export async function lockOrder(
  em: EntityManager,
  shop: Shop,
  id: string,
  expectedVersion: number | null | undefined,
): Promise<LockedOrder> {
  const order = isId(id) ? await findLocked(em, shop.id, id) : undefined;
  if (!order) throw new AppError("NOT_FOUND", "Order not found");
  checkVersion(order, expectedVersion);
  const database = kysely(em);
  const items = await database
    .selectFrom("order_items")
    .select(["id", "variant_id as variantId", "quantity", "total_amount as totalAmount"])
    .select(["fulfilled_quantity as fulfilledQuantity", "refunded_quantity as refundedQuantity"])
    .select("restocked_quantity as restockedQuantity")
    .where("shop_id", "=", shop.id)
    .where("order_id", "=", id)
    .orderBy("position")
    .execute();
  const payments = await database
    .selectFrom("payments")
    .select(["id", "method", "status", "amount", "refunded_amount as refundedAmount", "reference"])
    .select("processed_at as processedAt")
    .where("shop_id", "=", shop.id)
    .where("order_id", "=", id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return { ...order, items, payments };
}

async function findLocked(
  em: EntityManager,
  shopId: string,
  id: string,
): Promise<Omit<LockedOrder, "items" | "payments"> | undefined> {
  const [order] = await runStatement<Omit<LockedOrder, "items" | "payments">>(
    kysely(em),
    `select id, order_number as "orderNumber", receipt_number as "receiptNumber", status,
      payment_status as "paymentStatus", fulfillment_status as "fulfillmentStatus", channel, currency,
      customer_id as "customerId", total_amount as "totalAmount", refunded_amount as "refundedAmount", notes, version
    from orders where shop_id = $1 and id = $2 for no key update`,
    [shopId, id],
  );
  return order;
}

/** The order as the audit log names it. */
export function auditTarget({ id, orderNumber }: LockedOrder): { id: string; name: string } {
  return { id, name: orderNumber };
}

export type OrderChange = Partial<
  Pick<
    Order,
    | "status"
    | "paymentStatus"
    | "fulfillmentStatus"
    | "receiptNumber"
    | "refundedAmount"
    | "notes"
    | "cancelReason"
    | "cancelledAt"
  >
> & { customer?: [string, string] | null };

export type OrderEvent =
  | { topic: "order.updated" | "order.paid" | "order.cancelled"; refund?: never }
  | { topic: "order.refunded"; refund: { refundId: string; amount: number; currency: string } };

/** Writes a change of a locked order, and records the events that tell of it: each is a version of the order. */
export async function saveOrder(
  em: EntityManager,
  shop: Shop,
  order: LockedOrder,
  change: OrderChange,
  { events, at }: { events: readonly OrderEvent[]; at: Date },
): Promise<void> {
  const fields = { ...change, version: order.version + events.length, updatedAt: at };
  await em.nativeUpdate(OrderEntity, { shopId: shop.id, id: order.id }, fields);
  for (const [index, { topic, refund }] of events.entries()) {
    const version = order.version + index + 1;
    const data = { orderId: order.id, orderNumber: order.orderNumber, version, ...refund };
    await recordEvent(em, { shopId: shop.id, topic, data, createdAt: at });
  }
}
