import { z } from "zod";
import { type Actor, describeLeft } from "../../access/actor.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import type { OrderItem } from "../../model/orders/order-item.entity.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import { Permission } from "../../model/permissions.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { fulfillmentStatusOf, remainingQuantity } from "../order-states.ts";
import { lockOrder, saveOrder } from "./lock-order.ts";

const fulfillOrderSchema = z.strictObject({
  items: z
    .array(z.strictObject({ itemId: z.string(), quantity: z.int().min(1) }))
    .min(1)
    .max(250)
    .nullish(),
});

export type FulfillOrderRequest = z.input<typeof fulfillOrderSchema>;

/**
 * Fulfills the given units, or all remaining ones.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE when nothing remains
 */
export async function fulfillOrder(
  operation: Operation,
  orderId: string,
  request: FulfillOrderRequest,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(fulfillOrderSchema, request);
  await inTransaction(operation, async (inside) => {
    const locked = await lockOrder(inside, orderId, expectedVersion);
    const { order, items } = locked;
    if (order.status !== OrderStatus.CONFIRMED) {
      throw new AppError("INVALID_STATE", `The order is ${order.status}: it cannot be fulfilled`);
    }
    const units = input.items
      ? unitsByItem(items, inside.actor, input.items, remainingQuantity)
      : new Map(items.map((item) => [item.id, remainingQuantity(item)]));
    const total = units.values().reduce((sum, quantity) => sum + quantity, 0);
    if (total === 0) throw new AppError("INVALID_STATE", "The order has no units left to fulfill");
    const at = await databaseTime(inside.em);
    for (const item of items) item.fulfilledQuantity += units.get(item.id) ?? 0;
    order.fulfillmentStatus = fulfillmentStatusOf(items);
    const details = { units: String(total) };
    const events = [{ topic: "order.updated" }] as const;
    await saveOrder(inside, locked, { events, action: AuditAction.ORDER_FULFILLED, details, at });
  });
}

/**
 * Returns the units by line.
 *
 * @throws AppError VALIDATION_FAILED when a line is not part of the order, repeated, or has fewer units
 */
export function unitsByItem<Item extends Pick<OrderItem, "id">>(
  items: readonly Item[],
  actor: Actor,
  named: readonly { itemId: string; quantity: number }[],
  available: (item: Item) => number,
): Map<string, number> {
  const units = new Map<string, number>();
  const issues = named.flatMap(({ itemId, quantity }, index) => {
    const path = `items.${index}`;
    const item = items.find(({ id }) => id === itemId);
    if (!item) return [{ path: `${path}.itemId`, code: "not_found", message: "The order has no line with this ID" }];
    if (units.has(itemId)) return [{ path: `${path}.itemId`, code: "repeated", message: "Must be given only once" }];
    units.set(itemId, quantity);
    const remaining = available(item);
    if (quantity <= remaining) return [];
    const message = `Must not exceed the remaining units${describeLeft(actor, Permission.READ_ORDERS, remaining)}`;
    return [{ path: `${path}.quantity`, code: "too_big", message }];
  });
  if (issues.length > 0) throw invalidInput(issues);
  return units;
}
