import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError, invalidInput } from "../errors.ts";
import { databaseTime } from "../queries/database-time.ts";
import { parseInput, text } from "../validation/input.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { checkCustomer } from "./create-order.ts";
import { lockOrder, saveOrder } from "./lock-order.ts";
import { PaymentMethod } from "./payments/payment.enums.ts";

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
  orderId: string,
  request: UpdateOrderRequest,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(updateOrderSchema, request);
  await em.transactional(async (transaction) => {
    const order = await lockOrder(transaction, shop, orderId, expectedVersion);
    const { notes = order.notes, customerId = order.customerId } = input;
    if (notes === order.notes && customerId === order.customerId) return;
    if (customerId !== order.customerId) {
      const issues = await checkCustomer(transaction, shop.id, customerId);
      if (issues.length > 0) throw invalidInput(issues);
      if (order.payments.some(({ method }) => method === PaymentMethod.STORE_CREDIT)) {
        throw new AppError("INVALID_STATE", "The order is paid with this customer's store credit");
      }
    }
    const customer: [string, string] | null = customerId === null ? null : [shop.id, customerId];
    await saveOrder(
      transaction,
      shop,
      order,
      { notes, customer },
      { events: [{ topic: "order.updated" }], at: await databaseTime(transaction) },
    );
  });
}
