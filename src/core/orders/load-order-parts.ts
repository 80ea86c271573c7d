import type { Kysely } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Database } from "../model/tables.ts";
import { matchByRequest, idIn, type RowKey } from "../queries/row-key.ts";
import type { OrderItem } from "../model/orders/order-item.entity.ts";
import type { OrderCustomer } from "../model/orders/order.entity.ts";
import type { Payment, Refund, RefundItem, RefundPayment } from "../model/orders/payment.entity.ts";
import { Field, ObjectType } from "type-graphql";
import { listDetails } from "../audit/list-audit-log.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { AuditAction, AuditDetail } from "../model/shops/audit-entry.entity.ts";

/** A line of an order, as read. */
export type OrderItemRow = Omit<OrderItem, "shopId" | "order" | "position">;

/** Loads the lines of orders of one shop, in display order. */
export async function loadOrderItems(database: Kysely<Database>, orders: readonly RowKey[]): Promise<OrderItemRow[][]> {
  const rows = await database
    .selectFrom("order_items")
    .select(["id", "order_id as orderId", "product_id as productId", "variant_id as variantId"])
    .select(["title", "variant_title as variantTitle", "sku", "quantity", "unit_price as unitPrice"])
    .select(["discount_amount as discountAmount", "tax_amount as taxAmount", "tax_rate as taxRate"])
    .select(["fulfilled_quantity as fulfilledQuantity", "refunded_quantity as refundedQuantity"])
    .select(["refunded_amount as refundedAmount", "total_amount as totalAmount"])
    .select(["restocked_quantity as restockedQuantity"])
    .where("shop_id", "=", orders[0]!.shopId)
    .where("order_id", "=", idIn(orders))
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  return groupByOrder(orders, rows);
}

/** A payment, as read. */
export type PaymentRow = Omit<Payment, "order">;

/** Loads the payments of orders of one shop, oldest first. */
export async function loadPayments(database: Kysely<Database>, orders: readonly RowKey[]): Promise<PaymentRow[][]> {
  const rows = await database
    .selectFrom("payments")
    .select(["shop_id as shopId", "id", "order_id as orderId", "method", "status", "amount", "tendered"])
    .select(["refunded_amount as refundedAmount", "currency", "reference", "actor_id as actorId"])
    .select(["rounding_amount as roundingAmount", "refunded_rounding_amount as refundedRoundingAmount"])
    .select(["is_late_capture as isLateCapture", "processed_at as processedAt", "created_at as createdAt"])
    .where("shop_id", "=", orders[0]!.shopId)
    .where("order_id", "=", idIn(orders))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return groupByOrder(orders, rows);
}

/** A refund, as read. */
export type RefundRow = Omit<Refund, "order" | "items" | "payments"> & {
  items: Pick<RefundItem, "itemId" | "quantity" | "taxAmount" | "restocked">[];
  payments: Pick<RefundPayment, "paymentId" | "amount">[];
};

/** Loads the refunds of orders of one shop, oldest first, with their units and payments. */
export async function loadRefunds(database: Kysely<Database>, orders: readonly RowKey[]): Promise<RefundRow[][]> {
  const { shopId } = orders[0]!;
  const rows = await database
    .selectFrom("refunds")
    .select(["shop_id as shopId", "id", "order_id as orderId", "amount", "currency", "reason"])
    .select(["tax_amount as taxAmount"])
    .select(["actor_id as actorId", "created_at as createdAt"])
    .select((refund) => [
      jsonArrayFrom(
        refund
          .selectFrom("refund_items")
          .select(["item_id as itemId", "quantity", "restocked"])
          .select((item) => item.cast<string>("tax_amount", "text").as("taxAmount"))
          .where("shop_id", "=", shopId)
          .whereRef("refund_id", "=", "refunds.id")
          .orderBy("item_id"),
      ).as("items"),
      jsonArrayFrom(
        refund
          .selectFrom("refund_payments")
          .select((payment) => ["payment_id as paymentId", payment.cast<string>("amount", "text").as("amount")])
          .where("shop_id", "=", shopId)
          .whereRef("refund_id", "=", "refunds.id")
          .orderBy("payment_id"),
      ).as("payments"),
    ])
    .where("shop_id", "=", shopId)
    .where("order_id", "=", idIn(orders))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return groupByOrder(orders, rows);
}

/** Loads customers of one shop by their keys. */
export async function loadOrderCustomers(
  database: Kysely<Database>,
  customers: readonly RowKey[],
): Promise<(OrderCustomer | null)[]> {
  const rows = await database
    .selectFrom("customers")
    .select(["id", "email", "first_name as firstName", "last_name as lastName"])
    .where("shop_id", "=", customers[0]!.shopId)
    .where("id", "=", idIn(customers))
    .execute();
  return matchByRequest(customers, rows);
}

function groupByOrder<Row extends { orderId: string }>(orders: readonly RowKey[], rows: Row[]): Row[][] {
  const groups = Map.groupBy(rows, (row) => row.orderId);
  return orders.map((order) => groups.get(order.id) ?? []);
}

@ObjectType({ description: "A change to an order by staff or a service.", simpleResolvers: true })
export class OrderChange {
  @Field(() => AuditAction, { description: "The kind of change." })
  action!: AuditAction;

  @Field(() => String, {
    nullable: true,
    description: "The email address of the staff member, or the name of the service, at that time.",
  })
  actorName!: string | null;

  @Field(() => [AuditDetail], { description: "Details of the change." })
  details!: AuditDetail[];

  @Field(() => TimestampScalar, { description: "When the order was changed." })
  createdAt!: Date;
}

/** The changes to each order by the audit log, oldest first. All orders are of one shop. */
export async function loadOrderChanges(
  database: Kysely<Database>,
  orders: readonly RowKey[],
): Promise<OrderChange[][]> {
  const rows = await database
    .selectFrom("audit_entries")
    .select(["target_id as orderId", "action", "actor_name as actorName", "details", "created_at as createdAt"])
    .where("shop_id", "=", orders[0]!.shopId)
    .where("target_id", "=", idIn(orders))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const groups = Map.groupBy(rows, ({ orderId }) => orderId);
  return orders.map(({ id }) =>
    (groups.get(id) ?? []).map(({ details, ...row }) => ({ ...row, details: listDetails(details) })),
  );
}
