import { z } from "zod";
import { Big } from "../../../platform/money.ts";
import { describeMoneyLeft } from "../../access/actor.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { describeChange, recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { FulfillmentStatus, OrderStatus } from "../../model/orders/order.enums.ts";
import type { Payment } from "../../model/orders/payment.entity.ts";
import { PaymentStatus } from "../../model/orders/payment.enums.ts";
import { Permission } from "../../model/permissions.ts";
import { StockReason } from "../../model/products/stock-change.entity.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import { heldAmount, paymentStatusOf } from "../order-states.ts";
import { applyRounding, lockOrder, saveOrder, type LockedOrder } from "./lock-order.ts";
import { changeStock, lockVariants } from "../../stock/change-stock.ts";

const cancelOrderSchema = z.strictObject({
  reason: text({ min: 1, max: 500 }).nullish(),
  restock: z.boolean().default(true),
});

export type CancelOrderRequest = z.input<typeof cancelOrderSchema>;

/**
 * Cancels an order without fulfilled units and without unrefunded payments. Voids its pending and authorized payments,
 * and returns its units to stock unless `restock` is false.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE
 */
export async function cancelOrder(
  operation: Operation,
  orderId: string,
  request: CancelOrderRequest,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(cancelOrderSchema, request);
  await inTransaction(operation, async (inside) => {
    const locked = await lockOrder(inside, orderId, expectedVersion);
    checkCancellable(inside, locked);
    const at = await databaseTime(inside.em);
    if (input.restock) {
      const units = new Map(locked.items.map((item) => [item.id, item.quantity - item.refundedQuantity]));
      await restock(inside, locked, units, StockReason.CANCELLED);
    }
    await voidOpenPayments(inside, locked, { reason: input.reason, at });
    const details = { restock: String(input.restock) };
    const events = [{ topic: "order.cancelled" }] as const;
    await saveOrder(inside, locked, { events, action: AuditAction.ORDER_CANCELLED, details, at });
  });
}

/** Cancels a locked order and voids its open payments. */
export async function voidOpenPayments(
  operation: Operation,
  { order, payments }: LockedOrder,
  { reason, at }: { reason: string | null | undefined; at: Date },
): Promise<void> {
  const target = { id: order.id, name: order.orderNumber };
  for (const payment of payments) {
    const { id: paymentId, status } = payment;
    if (status !== PaymentStatus.PENDING && status !== PaymentStatus.AUTHORIZED) continue;
    payment.status = PaymentStatus.VOIDED;
    const details = { paymentId, ...describeChange<Payment>({ status }, payment) };
    await recordAudit(operation, { action: AuditAction.PAYMENT_SETTLED, target, details, at });
  }
  applyRounding(order, payments, operation.shop);
  order.status = OrderStatus.CANCELLED;
  order.paymentStatus = paymentStatusOf(order, payments);
  order.cancelReason = reason ?? null;
  order.cancelledAt = at;
}

function checkCancellable({ shop, actor }: Operation, { order, payments }: LockedOrder): void {
  if (order.status !== OrderStatus.CONFIRMED) {
    throw new AppError("INVALID_STATE", `The order is ${order.status}: it cannot be cancelled`);
  }
  if (order.fulfillmentStatus !== FulfillmentStatus.UNFULFILLED) {
    throw new AppError("INVALID_STATE", "The order has fulfilled units: refund it instead", {
      hint: "Set amount to 0 to return units without money.",
    });
  }
  const held = new Big(heldAmount(payments));
  if (held.gt(0)) {
    const left = describeMoneyLeft(actor, Permission.READ_ORDERS, held, shop);
    throw new AppError("INVALID_STATE", `The order has unrefunded payments. Refund them first${left}`);
  }
}

/**
 * Returns units of order lines to stock. Units of deleted variants are skipped.
 *
 * @returns the lines whose units were returned
 */
export async function restock(
  operation: Operation,
  { order, items }: LockedOrder,
  units: ReadonlyMap<string, number>,
  reason: StockReason,
): Promise<ReadonlySet<string>> {
  const unitsOf = ({ id }: { id: string }) => units.get(id) ?? 0;
  const returned = items.filter((item) => unitsOf(item) > 0);
  const variants = await lockVariants(
    operation,
    returned.map(({ variantId }) => variantId),
  );
  const kept = returned.filter(({ variantId }) => variants.has(variantId));
  if (kept.length === 0) return new Set();
  const deltas = [...Map.groupBy(kept, ({ variantId }) => variantId)].map(([variantId, group]) => ({
    variant: variants.get(variantId)!,
    delta: group.reduce((sum, item) => sum + unitsOf(item), 0),
  }));
  // Read after the locks, so that the stock history is in the order of changes.
  await changeStock(operation, deltas, { reason, orderId: order.id, at: await databaseTime(operation.em) });
  for (const item of kept) item.restockedQuantity += unitsOf(item);
  return new Set(kept.map(({ id }) => id));
}
