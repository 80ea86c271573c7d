import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { columnsOf, conditionsOf, selectFields, type Select, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { readPage } from "../queries/list-query.ts";
import type { Selection } from "../queries/selection.ts";
import type { Page, PageRequest } from "../model/page.ts";
import type {
  Channel,
  FulfillmentStatus,
  OrderSort,
  OrderStatus,
  OrderPaymentStatus,
} from "../model/orders/order.enums.ts";
import { Order } from "../model/orders/order.entity.ts";

type WithCustomerId = Omit<Order, "customer"> & { customerId: string | null };
type Always = "shopId" | "id" | "customerId";

/** An order with the selected fields. The customer is an id until more of it is selected. */
export type OrderRow = Shown<WithCustomerId, Always>;

export function selectOrder(em: EntityManager, selection: Selection): Select<OrderRow> {
  const columns = { ...columnsOf(em, Order), customerId: sql.ref<string | null>("customer_id") };
  return selectFields<WithCustomerId, Always>(columns, selection, ["shopId", "id", "customerId"]);
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

/** Lists a shop's orders, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listOrders(
  em: EntityManager,
  shopId: string,
  { status, ...filter }: ListOrdersFilter,
  selection: Selection,
): Promise<Page<OrderRow>> {
  const { sort, page, after, limit, order } = filter;
  const { customerId, orderNumber, receiptNumber } = filter;
  const others = conditionsOf<"orders">(
    ["payment_status", "=", filter.paymentStatus],
    ["fulfillment_status", "=", filter.fulfillmentStatus],
    ["channel", "=", filter.channel],
    ["customer_id", "=", customerId],
    ["order_number", "=", orderNumber],
    ["receipt_number", "=", receiptNumber],
    ["created_at", ">=", filter.createdSince],
    ["created_at", "<", filter.createdBefore],
    ["updated_at", ">=", filter.updatedSince],
  );
  return readPage(kysely(em), {
    page,
    after,
    limit,
    order,
    sort,
    shopId,
    table: "orders",
    select: selectOrder(em, selection.at("items")),
    selection,
    conditions: [...others, ...conditionsOf<"orders">(["status", "=", status])],
    texts: { customerId, orderNumber, receiptNumber },
    total: others.length === 0 ? "maintained" : "counted",
  });
}
