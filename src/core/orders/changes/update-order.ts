import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput, text } from "../../validation/input.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { checkCustomer } from "../create-order.ts";
import { auditTarget, lockOrder, saveOrder } from "./lock-order.ts";
import { PaymentMethod } from "../../model/orders/payment.enums.ts";

const updateOrderSchema = z.strictObject({
  notes: text({ max: 5_000 }).nullish(),
  customerId: z.string().nullish(),
});

export type UpdateOrderRequest = z.input<typeof updateOrderSchema>;

/**
 * Changes what is noted with an order: null clears, absent leaves. A change of nothing writes nothing.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE
 */
export async function updateOrder(
  em: EntityManager,
  shop: Shop,
  author: Author,
  orderId: string,
  request: UpdateOrderRequest,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(updateOrderSchema, request);
  await em.transactional(async (transaction) => {
    const order = await lockOrder(transaction, shop, orderId, expectedVersion);
    const { notes = order.notes, customerId = order.customerId } = input;
    const fields = [
      ...(notes === order.notes ? [] : ["notes"]),
      ...(customerId === order.customerId ? [] : ["customerId"]),
    ];
    if (fields.length === 0) return;
    if (customerId !== order.customerId) {
      const issues = await checkCustomer(transaction, shop.id, customerId);
      if (issues.length > 0) throw invalidInput(issues);
      if (order.payments.some(({ method }) => method === PaymentMethod.STORE_CREDIT)) {
        throw new AppError("INVALID_STATE", "Cannot change: the order is paid with this customer's store credit");
      }
    }
    const customer: [string, string] | null = customerId === null ? null : [shop.id, customerId];
    const at = await databaseTime(transaction);
    await saveOrder(transaction, shop, order, { notes, customer }, { events: [{ topic: "order.updated" }], at });
    const details = { fields: fields.join(", ") };
    const target = auditTarget(order);
    await recordAudit(transaction, shop.id, author, { action: AuditAction.ORDER_UPDATED, target, details, at });
  });
}
