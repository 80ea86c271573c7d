import { z } from "zod";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { checkCustomer } from "../../customers/read-customers.ts";
import { Customer } from "../../model/customers/customer.entity.ts";
import { describeChange } from "../../audit/record-audit.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { orderFields } from "../../model/orders/order.entity.ts";
import { metadataField } from "../../model/metadata.entity.ts";
import { PaymentMethod } from "../../model/orders/payment.enums.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { changesSchema } from "../../model/editable.ts";
import { changeMetadata } from "../../queries/metadata.sql.ts";
import { parseInput } from "../../validation/input.ts";
import { lockOrder, saveOrder } from "./lock-order.ts";

const updateOrderSchema = changesSchema({ ...orderFields, ...metadataField }).extend({
  customerId: z.string().nullish(),
});

export type UpdateOrderRequest = z.input<typeof updateOrderSchema>;

/**
 * Updates the customer, the notes and the metadata of an order. Null clears a field, and an omitted field stays. Writes nothing
 * without a change.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE
 */
export async function updateOrder(
  operation: Operation,
  orderId: string,
  request: UpdateOrderRequest,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(updateOrderSchema, request);
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const locked = await lockOrder(inside, orderId, expectedVersion);
    const { order, payments } = locked;
    const before = { notes: order.notes, customerId: order.customer?.id ?? null };
    const { notes = before.notes, customerId = before.customerId } = input;
    const also = await changeMetadata(em, order, input.metadata);
    const fields = [
      ...(notes === before.notes ? [] : ["notes"]),
      ...(customerId === before.customerId ? [] : ["customerId"]),
      ...also,
    ];
    if (fields.length === 0) return;
    if (customerId !== before.customerId) {
      const issues = await checkCustomer(inside, customerId, "forKeyShare");
      if (issues.length > 0) throw invalidInput(issues);
      if (payments.some(({ method }) => method === PaymentMethod.STORE_CREDIT)) {
        throw new AppError("INVALID_STATE", "Cannot change: the order is paid with this customer's store credit");
      }
      order.customer = customerId === null ? null : em.getReference(Customer, [shop.id, customerId]);
    }
    order.notes = notes;
    const at = await databaseTime(em);
    const events = [{ topic: "order.updated" }] as const;
    const details = {
      fields: fields.join(", "),
      ...(customerId !== before.customerId && describeChange({ customerId: before.customerId }, { customerId })),
    };
    await saveOrder(inside, locked, { events, also, action: AuditAction.ORDER_UPDATED, details, at });
  });
}
