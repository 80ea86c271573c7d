import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError } from "../../model/errors.ts";
import { Big } from "../../../platform/money.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput, text } from "../../validation/input.ts";
import { StockReason } from "../../model/products/stock-change.entity.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { auditTarget, lockOrder, saveOrder, type LockedOrder, type OrderChange } from "./lock-order.ts";
import { capturedAmount, heldAmount } from "../order-states.ts";
import { FulfillmentStatus, OrderStatus, OrderPaymentStatus } from "../../model/orders/order.enums.ts";
import { PaymentStatus } from "../../model/orders/payment.enums.ts";
import { Payment } from "../../model/orders/payment.entity.ts";
import { restock } from "./restock.ts";

const cancelOrderSchema = z.strictObject({
  reason: text({ min: 1, max: 500 }).nullish(),
  restock: z.boolean().default(true),
});

export type CancelOrderRequest = z.input<typeof cancelOrderSchema>;

/**
 * Cancels an order of which nothing was handed over and no money is held. Payments that are not settled are
 * voided; what was not refunded goes back into stock, unless the caller says otherwise.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE
 */
export async function cancelOrder(
  em: EntityManager,
  shop: Shop,
  author: Author,
  orderId: string,
  request: CancelOrderRequest,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(cancelOrderSchema, request);
  await em.transactional(async (transaction) => {
    const order = await lockOrder(transaction, shop, orderId, expectedVersion);
    checkCancellable(order);
    const at = await databaseTime(transaction);
    if (input.restock) {
      const units = new Map(order.items.map((item) => [item.id, item.quantity - item.refundedQuantity]));
      await restock(transaction, shop, author, order, { units, reason: StockReason.CANCELLED });
    }
    const change = await callOff(transaction, shop, order, { reason: input.reason, at });
    await saveOrder(transaction, shop, order, change, { events: [{ topic: "order.cancelled" }], at });
    const details = { restock: String(input.restock) };
    const target = auditTarget(order);
    await recordAudit(transaction, shop.id, author, { action: AuditAction.ORDER_CANCELLED, target, details, at });
  });
}

/** Voids the payments of a locked order that are not settled. Returns what makes the order a cancelled one. */
export async function callOff(
  em: EntityManager,
  shop: Shop,
  order: LockedOrder,
  { reason, at }: { reason: string | null | undefined; at: Date },
): Promise<OrderChange> {
  await em.nativeUpdate(
    Payment,
    { shopId: shop.id, order: [shop.id, order.id], status: { $in: [PaymentStatus.PENDING, PaymentStatus.AUTHORIZED] } },
    { status: PaymentStatus.VOIDED },
  );
  const nothingCaptured = new Big(capturedAmount(order.payments)).eq(0);
  return {
    status: OrderStatus.CANCELLED,
    paymentStatus: nothingCaptured ? OrderPaymentStatus.VOIDED : OrderPaymentStatus.REFUNDED,
    cancelReason: reason ?? null,
    cancelledAt: at,
  };
}

function checkCancellable(order: LockedOrder): void {
  if (order.status !== OrderStatus.CONFIRMED) {
    throw new AppError("INVALID_STATE", `The order is ${order.status}: it cannot be cancelled`);
  }
  if (order.fulfillmentStatus !== FulfillmentStatus.UNFULFILLED) {
    throw new AppError("INVALID_STATE", "The order has fulfilled units: refund it instead", {
      hint: "Set amount to 0 to return units without money.",
    });
  }
  const held = heldAmount(order.payments);
  if (new Big(held).gt(0)) {
    throw new AppError("INVALID_STATE", "The order has unrefunded payments: refund them first");
  }
}
