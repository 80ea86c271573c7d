import { OptionalProps, PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { Order } from "./order.entity.ts";
import { PaymentMethod, PaymentStatus } from "./payment.enums.ts";
import { ActedRow } from "../created-row.ts";
import { OwnedRow, shopReference } from "../shop-row.ts";
import { rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";

@Entity({ tableName: "payments" })
@ObjectType({ description: "A payment for an order.", simpleResolvers: true })
export class Payment extends rowOf(ActedRow, {
  method: field(PaymentMethod, "The payment method."),
  status: field(PaymentStatus, "The status of the payment."),
  amount: field(DecimalScalar, "The amount, in the order's currency."),
  tendered: nullable(DecimalScalar, "The cash handed over. Null if it was not recorded."),
  refundedAmount: field(DecimalScalar, "The amount refunded."),
  roundingAmount: field(
    DecimalScalar,
    "The rounding of cash in the amount: its difference from the amount owed. Negative if less was paid. 0 unless the payment settles the order in cash.",
  ),
  refundedRoundingAmount: field(
    DecimalScalar,
    "The rounding of cash in the refunded amount. Negative if less was refunded.",
  ),
  isLateCapture: field(
    Boolean,
    "Whether the payment was captured when it was no longer expected: after it failed or was voided, or after the order was paid, refunded or cancelled.",
  ),
  reference: nullable(String, "The reference of the payment provider."),
  actorId: nullable(ID, "The ID of the staff member or service that recorded it."),
  processedAt: nullable(TimestampScalar, "When the payment provider settled it. Null while pending."),
  createdAt: field(TimestampScalar, "When the payment was recorded."),
}) {
  [OptionalProps]?: "isLateCapture" | "tendered";

  @ManyToOne(() => Order, { ...shopReference("order_id"), hidden: true })
  order!: Order;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "The ISO 4217 currency code." })
  currency!: string;
}

@Entity({ tableName: "refund_payments" })
@ObjectType({ description: "The part of a refund that was made to one payment.", simpleResolvers: true })
export class RefundPayment extends rowOf(OwnedRow, {
  amount: field(DecimalScalar, "The amount, in the order's currency."),
}) {
  [PrimaryKeyProp]?: ["shopId", "refundId", "paymentId"];

  @PrimaryKey({ type: "text" })
  refundId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The payment." })
  paymentId!: string;
}

@Entity({ tableName: "refund_items" })
@ObjectType({ description: "Returned units of one line.", simpleResolvers: true })
export class RefundItem extends rowOf(OwnedRow, {
  quantity: field(Int, "The number of units."),
  taxAmount: field(DecimalScalar, "The tax in the amount refunded for the units."),
  restocked: field(Boolean, "Whether the units were returned to stock."),
}) {
  [PrimaryKeyProp]?: ["shopId", "refundId", "itemId"];

  @PrimaryKey({ type: "text" })
  refundId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the line." })
  itemId!: string;
}

@Entity({ tableName: "refunds" })
@ObjectType({ description: "A refund of an order: money, units, or both.", simpleResolvers: true })
export class Refund extends rowOf(ActedRow, {
  amount: field(DecimalScalar, "The amount, in the order's currency. 0 if units were returned without money."),
  taxAmount: field(
    DecimalScalar,
    "The tax in the amount. For a refund of an amount, it is shared over the lines by their unrefunded price. An overpayment has none.",
  ),
  reason: nullable(String, "The reason for the refund."),
  actorId: nullable(ID, "The ID of the staff member or service that made the refund."),
  createdAt: field(TimestampScalar, "When the refund was made."),
}) {
  [OptionalProps]?: "surplusAmount";

  @ManyToOne(() => Order, { ...shopReference("order_id"), hidden: true })
  order!: Order;

  /** The part of the amount that was no price, but overpaid. */
  @Property({ type: "decimal", runtimeType: "string" })
  surplusAmount!: string;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "The ISO 4217 currency code." })
  currency!: string;

  /** Not mapped: read with the refund. */
  @Field(() => [RefundItem], { description: "The returned units. Empty for a refund of an amount." })
  items?: RefundItem[];

  /** Not mapped: read with the refund. */
  @Field(() => [RefundPayment], { description: "The payments that were refunded." })
  payments?: RefundPayment[];
}
