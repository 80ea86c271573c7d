import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Author } from "../../access/author.ts";
import { Permission } from "../../model/permissions.ts";
import { describeLeft } from "../../access/describe-left.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { parseInput } from "../../validation/input.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { auditTarget, lockOrder, saveOrder, type LockedOrder } from "./lock-order.ts";
import { fulfillmentStatusOf, remainingQuantity } from "../order-states.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";

const fulfillOrderSchema = z.strictObject({
  items: z
    .array(z.strictObject({ itemId: z.string(), quantity: z.int().min(1) }))
    .min(1)
    .max(250)
    .nullish(),
});

export type FulfillOrderRequest = z.input<typeof fulfillOrderSchema>;

/**
 * Notes that units were handed over: those that are named, or all that remain.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE when nothing remains
 */
export async function fulfillOrder(
  em: EntityManager,
  shop: Shop,
  author: Author,
  orderId: string,
  request: FulfillOrderRequest,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(fulfillOrderSchema, request);
  await em.transactional(async (transaction) => {
    const order = await lockOrder(transaction, shop, orderId, expectedVersion);
    if (order.status !== OrderStatus.CONFIRMED) {
      throw new AppError("INVALID_STATE", `The order is ${order.status}: it cannot be fulfilled`);
    }
    const units = input.items
      ? unitsByItem(order, author, input.items, remainingQuantity)
      : new Map(order.items.map((item) => [item.id, remainingQuantity(item)]));
    if ([...units.values()].every((quantity) => quantity === 0)) {
      throw new AppError("INVALID_STATE", "The order has no units left to fulfil");
    }
    const at = await databaseTime(transaction);
    await addUnits(transaction, shop, "fulfilled_quantity", units);
    const items = order.items.map((item) => ({
      ...item,
      fulfilledQuantity: item.fulfilledQuantity + (units.get(item.id) ?? 0),
    }));
    const change = { fulfillmentStatus: fulfillmentStatusOf(items) };
    await saveOrder(transaction, shop, order, change, { events: [{ topic: "order.updated" }], at });
    const details = { units: String(units.values().reduce((total, quantity) => total + quantity, 0)) };
    const target = auditTarget(order);
    await recordAudit(transaction, shop.id, author, { action: AuditAction.ORDER_FULFILLED, target, details, at });
  });
}

/**
 * Units by the line that they are of.
 *
 * @throws AppError VALIDATION_FAILED when a line is not the order's, comes up twice, or has fewer units
 */
export function unitsByItem(
  order: Pick<LockedOrder, "items">,
  author: Author,
  named: readonly { itemId: string; quantity: number }[],
  available: (item: LockedOrder["items"][number]) => number,
): Map<string, number> {
  const units = new Map<string, number>();
  const issues = named.flatMap(({ itemId, quantity }, index) => {
    const path = `items.${index}`;
    const item = order.items.find(({ id }) => id === itemId);
    if (!item) return [{ path: `${path}.itemId`, code: "not_found", message: "The order has no line with this ID" }];
    if (units.has(itemId)) return [{ path: `${path}.itemId`, code: "repeated", message: "Must be given only once" }];
    units.set(itemId, quantity);
    const remaining = available(item);
    if (quantity <= remaining) return [];
    const message = `Must not exceed the remaining units${describeLeft(author, Permission.READ_ORDERS, remaining)}`;
    return [{ path: `${path}.quantity`, code: "too_big", message }];
  });
  if (issues.length > 0) throw invalidInput(issues);
  return units;
}

/** Adds to a count of units on lines of an order that is locked. */
export async function addUnits(
  em: EntityManager,
  shop: Shop,
  column: "fulfilled_quantity" | "refunded_quantity" | "restocked_quantity",
  units: ReadonlyMap<string, number>,
): Promise<void> {
  await runStatement(
    kysely(em),
    `update order_items set ${column} = ${column} + quantities.more
    from unnest($2::text[], $3::int[]) as quantities (item_id, more) where shop_id = $1 and id = item_id`,
    [shop.id, [...units.keys()], [...units.values()]],
  );
}
