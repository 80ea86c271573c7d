import type { Kysely } from "kysely";
import { isId } from "../../platform/ids.ts";
import { selectList } from "../columns.ts";
import { runStatement, type Database } from "../database.ts";
import { readPage, type PageFields } from "../read-page.ts";
import type { Page, PageRequest } from "../pagination.ts";
import type { Order } from "./order.entity.ts";

/** An order as it is read: the customer is an id until somebody asks for more. */
export type OrderRow = Omit<Order, "customer"> & { customerId: string | null };

const columns = {
  shopId: "shop_id",
  id: "id",
  orderNumber: "order_number",
  receiptNumber: "receipt_number",
  status: "status",
  paymentStatus: "payment_status",
  fulfillmentStatus: "fulfillment_status",
  channel: "channel",
  currency: "currency",
  customerId: "customer_id",
  subtotalAmount: "subtotal_amount",
  discountAmount: "discount_amount",
  taxAmount: "tax_amount",
  totalAmount: "total_amount",
  refundedAmount: "refunded_amount",
  notes: "notes",
  cancelReason: "cancel_reason",
  cancelledAt: "cancelled_at",
  version: "version",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

const orderColumns = (fields: ReadonlySet<string>) => selectList(columns, fields, ["shopId", "id", "customerId"]);

/** A shop's orders, newest first. @throws AppError VALIDATION_FAILED */
export function listOrders(
  database: Kysely<Database>,
  shopId: string,
  page: PageRequest,
  fields: PageFields,
): Promise<Page<OrderRow>> {
  return readPage(database, {
    ...page,
    shopId,
    table: "orders",
    columns: orderColumns(fields.item),
    fields: fields.page,
    total: "maintained",
  });
}

/** The order, or undefined when this shop has none by the id. */
export async function findOrder(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<OrderRow | undefined> {
  if (!isId(id)) return undefined;
  const text = `select ${orderColumns(fields)} from orders where shop_id = $1 and id = $2`;
  const [order] = await runStatement<OrderRow>(database, text, [shopId, id]);
  return order;
}
