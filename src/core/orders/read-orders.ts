import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Expression, type SqlBool } from "kysely";
import { ArgsType, ID } from "type-graphql";
import { columnsOf, conditionsOf, selectFields, type Select, type Shown } from "../queries/columns.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { argumentsOf, field, nullable } from "../model/fields.ts";
import { recordArguments, type Page } from "../model/page.ts";
import { Channel, FulfillmentStatus, OrderSort, OrderStatus, OrderPaymentStatus } from "../model/orders/order.enums.ts";
import { Order } from "../model/orders/order.entity.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { SEARCH_RULE } from "../queries/search.ts";
import { answerOf, finderOf } from "../queries/find-by-id.ts";
import { partsOf, type OrderParts } from "./order-parts.ts";
import { orderSearchConditions } from "./search-orders.ts";
import { metadataOf } from "../queries/metadata.sql.ts";

type WithParts = Omit<Order, keyof OrderParts> & OrderParts;
const always = ["shopId", "id", "status", "totalAmount", "createdBy"] as const;

/** An order with the selected fields. */
export type OrderRow = Shown<WithParts, (typeof always)[number]>;

function selectOrder(em: EntityManager, selection: Selection): Select<OrderRow> {
  const parts = { ...partsOf(em, selection), ...metadataOf(em, "orders.id", selection) };
  const fields = new Set([...selection.fields, ...Object.keys(parts)]);
  return selectFields<WithParts, (typeof always)[number]>({ ...columnsOf(em, Order), ...parts }, { fields }, always);
}

@ArgsType()
export class ListOrdersArgs extends argumentsOf({
  ...recordArguments,
  sort: field(OrderSort, "The field to sort by.", { defaultValue: OrderSort.CREATED_AT }),
  status: nullable(OrderStatus, "Only orders with this status."),
  paymentStatus: nullable(OrderPaymentStatus, "Only orders with this payment status."),
  isPaymentDue: nullable(
    Boolean,
    "True for only confirmed orders that are unpaid or partially paid, and false for only others.",
  ),
  isOverpaid: nullable(
    Boolean,
    "True for only orders with an `overpaidAmount`, which is to be refunded, and false for only others.",
  ),
  isCancelled: nullable(Boolean, "True for only cancelled orders, and false for only others."),
  fulfillmentStatus: nullable(FulfillmentStatus, "Only orders with this fulfillment status."),
  channel: nullable(Channel, "Only orders from this sales channel."),
  customerId: nullable(ID, "Only orders of this customer."),
  orderNumber: nullable(String, "Only the order with this number."),
  receiptNumber: nullable(String, "Only the order with this receipt number."),
  search: nullable(
    String,
    `An order number, a receipt number such as R-000007 or r7, or beginnings of words of the customer's email address, names or phone number. Finds orders of the 1,000 newest matching customers. ${SEARCH_RULE}`,
  ),
  createdSince: nullable(TimestampScalar, "Only orders placed at or after this time."),
  createdBefore: nullable(TimestampScalar, "Only orders placed before this time."),
  updatedSince: nullable(TimestampScalar, "Only orders changed at or after this time."),
}) {}

// Text, not parameters, so that every plan can use the indexes of these orders.
const PAYMENT_DUE = sql<SqlBool>`status = 'CONFIRMED' and payment_status in ('UNPAID', 'PARTIALLY_PAID')`;
const OVERPAID = sql<SqlBool>`overpaid_amount > 0`;
const CANCELLED = sql<SqlBool>`status = 'CANCELLED'`;

const isTrue = (condition: Expression<SqlBool>, wanted: boolean | null | undefined) =>
  wanted == null ? [] : [wanted ? condition : sql<SqlBool>`not (${condition})`];

/** Lists a shop's orders, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listOrders(
  em: EntityManager,
  shopId: string,
  { status, ...filter }: ListOrdersArgs,
  selection: Selection,
): Promise<Page<OrderRow>> {
  const { sort, page, after, limit, order, updatedSince, metadata } = filter;
  const { customerId, orderNumber, receiptNumber, search } = filter;
  const columns = conditionsOf<"orders">(
    ["payment_status", "=", filter.paymentStatus],
    ["fulfillment_status", "=", filter.fulfillmentStatus],
    ["channel", "=", filter.channel],
    ["customer_id", "=", customerId],
    ["order_number", "=", orderNumber],
    ["receipt_number", "=", receiptNumber],
    ["created_at", ">=", filter.createdSince],
    ["created_at", "<", filter.createdBefore],
  );
  const states = [
    isTrue(PAYMENT_DUE, filter.isPaymentDue),
    isTrue(OVERPAID, filter.isOverpaid),
    isTrue(CANCELLED, filter.isCancelled),
  ].flat();
  const others = [...columns, ...states, ...orderSearchConditions(shopId, search)];
  return readPage(em, {
    page,
    after,
    limit,
    order,
    metadata,
    sort,
    shopId,
    table: "orders",
    select: selectOrder,
    selection,
    conditions: [...others, ...conditionsOf<"orders">(["status", "=", status])],
    updatedSince,
    texts: { customerId, orderNumber, receiptNumber, search },
    total: others.length === 0 ? "maintained" : "counted",
  });
}

export const findOrder = finderOf("orders", selectOrder);
export const answerOrder = answerOf("Order", findOrder);
