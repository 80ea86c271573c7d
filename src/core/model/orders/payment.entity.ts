import { OptionalProps, PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { Order } from "./order.entity.ts";
import { PaymentMethod, PaymentStatus } from "./payment.enums.ts";
import { ActedRow } from "../created-row.ts";
import { shopReference } from "../shop-row.ts";
import { Column } from "../column.ts";

@Entity({ tableName: "payments" })
@ObjectType({ description: "A payment for an order.", simpleResolvers: true })
export class Payment extends ActedRow {
  [OptionalProps]?: "isLateCapture" | "tendered";

  @ManyToOne(() => Order, { ...shopReference("order_id"), hidden: true })
  order!: Order;

  @Column(() => PaymentMethod, { description: "The payment method." })
  method!: PaymentMethod;

  @Column(() => PaymentStatus, { description: "The status of the payment." })
  status!: PaymentStatus;

  @Column(() => DecimalScalar, { description: "The amount, in the order's currency." })
  amount!: string;

  @Column(() => DecimalScalar, { nullable: true, description: "The cash handed over. Null if it was not recorded." })
  tendered!: string | null;

  @Column(() => DecimalScalar, { description: "The amount refunded." })
  refundedAmount!: string;

  @Column(() => DecimalScalar, {
    description:
      "The rounding of cash in the amount: its difference from the amount owed. Negative if less was paid. 0 unless the payment settles the order in cash.",
  })
  roundingAmount!: string;

  @Column(() => DecimalScalar, {
    description: "The rounding of cash in the refunded amount. Negative if less was refunded.",
  })
  refundedRoundingAmount!: string;

  @Column(() => Boolean, {
    description:
      "Whether the payment was captured when it was no longer expected: after it failed or was voided, or after the order was paid, refunded or cancelled.",
  })
  isLateCapture!: boolean;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "The ISO 4217 currency code." })
  currency!: string;

  @Column(() => String, { nullable: true, description: "The reference of the payment provider." })
  reference!: string | null;

  @Column(() => ID, { nullable: true, description: "The ID of the staff member or service that recorded it." })
  declare actorId: string | null;

  @Column(() => TimestampScalar, {
    nullable: true,
    description: "When the payment provider settled it. Null while pending.",
  })
  processedAt!: Date | null;

  @Column(() => TimestampScalar, { description: "When the payment was recorded." })
  createdAt!: Date;
}

@Entity({ tableName: "refund_payments" })
@ObjectType({ description: "The part of a refund that was made to one payment.", simpleResolvers: true })
export class RefundPayment {
  [PrimaryKeyProp]?: ["shopId", "refundId", "paymentId"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  refundId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The payment." })
  paymentId!: string;

  @Column(() => DecimalScalar, { description: "The amount, in the order's currency." })
  amount!: string;
}

@Entity({ tableName: "refund_items" })
@ObjectType({ description: "Returned units of one line.", simpleResolvers: true })
export class RefundItem {
  [PrimaryKeyProp]?: ["shopId", "refundId", "itemId"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  refundId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the line." })
  itemId!: string;

  @Column(() => Int, { description: "The number of units." })
  quantity!: number;

  @Column(() => DecimalScalar, { description: "The tax in the amount refunded for the units." })
  taxAmount!: string;

  @Column(() => Boolean, { description: "Whether the units were returned to stock." })
  restocked!: boolean;
}

@Entity({ tableName: "refunds" })
@ObjectType({ description: "A refund of an order: money, units, or both.", simpleResolvers: true })
export class Refund extends ActedRow {
  [OptionalProps]?: "surplusAmount";

  @ManyToOne(() => Order, { ...shopReference("order_id"), hidden: true })
  order!: Order;

  @Column(() => DecimalScalar, {
    description: "The amount, in the order's currency. 0 if units were returned without money.",
  })
  amount!: string;

  @Column(() => DecimalScalar, {
    description:
      "The tax in the amount. For a refund of an amount, it is shared over the lines by their unrefunded price. An overpayment has none.",
  })
  taxAmount!: string;

  /** The part of the amount that was no price, but overpaid. */
  @Property({ type: "decimal", runtimeType: "string" })
  surplusAmount!: string;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "The ISO 4217 currency code." })
  currency!: string;

  @Column(() => String, { nullable: true, description: "The reason for the refund." })
  reason!: string | null;

  @Column(() => ID, { nullable: true, description: "The ID of the staff member or service that made the refund." })
  declare actorId: string | null;

  @Column(() => TimestampScalar, { description: "When the refund was made." })
  createdAt!: Date;

  /** Not mapped: read with the refund. */
  @Field(() => [RefundItem], { description: "The returned units. Empty for a refund of an amount." })
  items?: RefundItem[];

  /** Not mapped: read with the refund. */
  @Field(() => [RefundPayment], { description: "The payments that were refunded." })
  payments?: RefundPayment[];
}
