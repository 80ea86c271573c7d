import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import type { Page, PageRequest } from "../model/page.ts";
import type {
  Channel,
  FulfillmentStatus,
  OrderSort,
  OrderStatus,
  OrderPaymentStatus,
} from "../model/orders/order.enums.ts";
import { Order } from "../model/orders/order.entity.ts";

/** An order as it is read: the customer is an id until somebody asks for more. */
export type OrderRow = Omit<Order, "customer"> & { customerId: string | null };

export function orderColumns(em: EntityManager, fields: ReadonlySet<string>): string {
  const columns = { ...columnsOf(em, Order), customerId: "customer_id" };
  return selectList(columns, fields, ["shopId", "id", "customerId"]);
}

export interface ListOrdersFilter extends PageRequest {
  sort?: OrderSort;
  status?: OrderStatus | null;
  paymentStatus?: OrderPaymentStatus | null;
  fulfillmentStatus?: FulfillmentStatus | null;
  channel?: Channel | null;
  customerId?: string | null;
  orderNumber?: string | null;
  receiptNumber?: string | null;
  createdSince?: Date | null;
  createdBefore?: Date | null;
  updatedSince?: Date | null;
}

/** A shop's orders, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listOrders(
  em: EntityManager,
  shopId: string,
  { status, ...filter }: ListOrdersFilter,
  fields: PageFields,
): Promise<Page<OrderRow>> {
  const { sort, page, after, limit, order } = filter;
  const { customerId, orderNumber, receiptNumber } = filter;
  const others = conditionsOf([
    ["payment_status = ?", filter.paymentStatus],
    ["fulfillment_status = ?", filter.fulfillmentStatus],
    ["channel = ?", filter.channel],
    ["customer_id = ?", customerId],
    ["order_number = ?", orderNumber],
    ["receipt_number = ?", receiptNumber],
    ["created_at >= ?", filter.createdSince],
    ["created_at < ?", filter.createdBefore],
    ["updated_at >= ?", filter.updatedSince],
  ]);
  return readPage(kysely(em), {
    page,
    after,
    limit,
    order,
    sort,
    shopId,
    table: "orders",
    columns: orderColumns(em, fields.item),
    fields: fields.page,
    conditions: [...others, ...conditionsOf([["status = ?", status]])],
    texts: { customerId, orderNumber, receiptNumber },
    total: others.length === 0 ? "maintained" : "counted",
  });
}
