import type { Kysely } from "kysely";
import { countRecords } from "../count-records.ts";
import type { Database } from "../database.ts";
import { checkPage, type Page, type PageRequest } from "../pagination.ts";
import type { Order } from "./order.entity.ts";

/** An order as the projections read it: the customer is an id until somebody asks for more. */
export type OrderRow = Omit<Order, "customer"> & { customerId: string | null };

export const orderColumns = [
  "shop_id as shopId",
  "id",
  "order_number as orderNumber",
  "receipt_number as receiptNumber",
  "status",
  "payment_status as paymentStatus",
  "fulfillment_status as fulfillmentStatus",
  "channel",
  "currency",
  "customer_id as customerId",
  "subtotal_amount as subtotalAmount",
  "discount_amount as discountAmount",
  "tax_amount as taxAmount",
  "total_amount as totalAmount",
  "refunded_amount as refundedAmount",
  "created_at as createdAt",
  "updated_at as updatedAt",
] as const;

/** A shop's orders, newest first. */
export async function listOrders(
  database: Kysely<Database>,
  shopId: string,
  request: PageRequest,
): Promise<Page<OrderRow>> {
  checkPage(request);
  const ids = database
    .selectFrom("orders")
    .select("id")
    .where("shop_id", "=", shopId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(request.limit)
    .offset((request.page - 1) * request.limit);
  const [items, total] = await Promise.all([
    database
      .selectFrom("orders")
      .select(orderColumns)
      .where("shop_id", "=", shopId)
      .where("id", "in", ids)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute(),
    countRecords(database, shopId, "orders"),
  ]);
  return { items, total };
}
