import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ObjectType } from "type-graphql";
import { field, nullable, objectOf } from "../model/fields.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { OrderItem } from "../model/orders/order-item.entity.ts";
import type { OrderCustomer } from "../model/orders/order.entity.ts";
import { Payment, Refund, RefundItem, RefundPayment } from "../model/orders/payment.entity.ts";
import { AuditAction, AuditDetail, AuditEntry } from "../model/shops/audit-entry.entity.ts";
import { jsonRow, jsonRows, type Columns } from "../queries/columns.ts";
import type { Selection } from "../queries/selection.ts";

@ObjectType({ description: "A change to an order by staff or a service.", simpleResolvers: true })
export class OrderChange extends objectOf({
  action: field(AuditAction, "The kind of change."),
  actorName: nullable(String, "The email address of the staff member, or the name of the service, at that time."),
  details: field([AuditDetail], "Details of the change."),
  createdAt: field(TimestampScalar, "When the order was changed."),
}) {}

/** The parts of an order, with the selected fields. */
export interface OrderParts {
  customer: OrderCustomer | null;
  items: OrderItem[];
  payments: Payment[];
  refunds: Refund[];
  changes: (Omit<OrderChange, "details"> & Pick<AuditEntry, "details">)[];
}

/** The fields that are computed from all columns of the lines and payments. */
const computed = ["amountToRefund", "amountToPay"];

/** SQL: the parts that the selected fields need. */
export function partsOf(em: EntityManager, selection: Selection): Columns<OrderParts> {
  const isComputed = computed.some((name) => selection.fields.has(name));
  const on = "order_id = orders.id";
  const order = "created_at, id";
  const refunds = selection.at("refunds");
  const ofRefund = "refund_id = refunds.id";
  const of = (part: keyof OrderParts) => (isComputed ? {} : { selection: selection.at(part) });
  const parts = {
    customer: () => jsonRow(em, Customer, { on: "id = orders.customer_id", selection: selection.at("customer") }),
    // A line that was never refunded is stored with 0. The total has the decimals of the currency.
    items: () =>
      jsonRows(em, OrderItem, {
        on,
        order: "position",
        ...of("items"),
        others: { refundedAmount: sql`(refunded_amount + 0 * total_amount)` },
      }),
    payments: () =>
      jsonRows(em, Payment, { on, order, ...of("payments"), always: ["shopId", "actorId", "amount", "tendered"] }),
    refunds: () =>
      jsonRows(em, Refund, {
        on,
        order,
        selection: refunds,
        always: ["shopId", "actorId"],
        others: {
          items: jsonRows(em, RefundItem, { on: ofRefund, order: "item_id", selection: refunds.at("items") }),
          payments: jsonRows(em, RefundPayment, {
            on: ofRefund,
            order: "payment_id",
            selection: refunds.at("payments"),
          }),
        },
      }),
    changes: () =>
      jsonRows(em, AuditEntry, {
        on: "target_id = orders.id",
        order,
        selection: selection.at("changes"),
        always: ["details"],
      }),
  };
  const needed = new Set([...selection.fields, ...(isComputed ? ["items", "payments"] : [])]);
  const selected = Object.entries(parts).filter(([part]) => needed.has(part));
  return Object.fromEntries(selected.map(([part, read]) => [part, read()])) as Columns<OrderParts>;
}
