import type { Kysely } from "kysely";
import { runStatement } from "../queries/database.ts";
import type { Database } from "../model/tables.ts";
import { idIn, type RowKey } from "../queries/row-key.ts";
import type { OrderItem } from "../model/orders/order-item.entity.ts";
import type { OrderCustomer } from "../model/orders/order.entity.ts";
import type { Payment, Refund } from "../model/orders/payment.entity.ts";

/** The lines of each order, in their order. All orders are of one shop. */
export async function loadOrderItems(database: Kysely<Database>, orders: readonly RowKey[]): Promise<OrderItem[][]> {
  const rows = await database
    .selectFrom("order_items")
    .select([
      "id",
      "order_id as orderId",
      "product_id as productId",
      "variant_id as variantId",
      "title",
      "variant_title as variantTitle",
      "sku",
      "quantity",
      "unit_price as unitPrice",
      "discount_amount as discountAmount",
      "tax_amount as taxAmount",
      "tax_rate as taxRate",
      "fulfilled_quantity as fulfilledQuantity",
      "refunded_quantity as refundedQuantity",
      "restocked_quantity as restockedQuantity",
      "total_amount as totalAmount",
    ])
    .where("shop_id", "=", orders[0]!.shopId)
    .where("order_id", "=", idIn(orders))
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  return groupByOrder(orders, rows) as unknown as OrderItem[][];
}

/** The payments of each order, oldest first. All orders are of one shop. */
export async function loadPayments(database: Kysely<Database>, orders: readonly RowKey[]): Promise<Payment[][]> {
  const rows = await database
    .selectFrom("payments")
    .select([
      "shop_id as shopId",
      "id",
      "order_id as orderId",
      "method",
      "status",
      "amount",
      "refunded_amount as refundedAmount",
      "currency",
      "reference",
      "actor_id as actorId",
      "processed_at as processedAt",
    ])
    .where("shop_id", "=", orders[0]!.shopId)
    .where("order_id", "=", idIn(orders))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return groupByOrder(orders, rows) as unknown as Payment[][];
}

/** The refunds of each order, oldest first, with their units and payments. All orders are of one shop. */
export async function loadRefunds(database: Kysely<Database>, orders: readonly RowKey[]): Promise<Refund[][]> {
  const rows = await runStatement<Refund & { orderId: string }>(
    database,
    `select shop_id as "shopId", id, order_id as "orderId", amount, currency, reason, actor_id as "actorId",
      created_at as "createdAt", (
      select coalesce(json_agg(item order by "itemId"), '[]') from (
        select item_id as "itemId", quantity, restocked from refund_items
        where shop_id = refunds.shop_id and refund_id = refunds.id
      ) item
    ) as items, (
      select coalesce(json_agg(payment order by "paymentId"), '[]') from (
        select payment_id as "paymentId", amount::text from refund_payments
        where shop_id = refunds.shop_id and refund_id = refunds.id
      ) payment
    ) as payments
    from refunds where shop_id = $1 and order_id = any($2) order by created_at, id`,
    [orders[0]!.shopId, orders.map(({ id }) => id)],
  );
  return groupByOrder(orders, rows);
}

/** The customers by their keys. All are of one shop. */
export async function loadOrderCustomers(
  database: Kysely<Database>,
  customers: readonly RowKey[],
): Promise<(OrderCustomer | null)[]> {
  const rows = await database
    .selectFrom("customers")
    .select(["id", "email"])
    .where("shop_id", "=", customers[0]!.shopId)
    .where("id", "=", idIn(customers))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return customers.map((customer) => byId.get(customer.id) ?? null);
}

function groupByOrder<Row extends { orderId: string }>(orders: readonly RowKey[], rows: Row[]): Row[][] {
  const groups = Map.groupBy(rows, (row) => row.orderId);
  return orders.map((order) => groups.get(order.id) ?? []);
}
