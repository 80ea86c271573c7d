import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { Order } from "./order.entity.ts";
import { PaymentMethod, PaymentStatus } from "./payment.enums.ts";
import { ShopRow } from "../shop-row.ts";

@Entity({ tableName: "payments" })
@ObjectType({ description: "One payment towards an order.", simpleResolvers: true })
export class Payment extends ShopRow {
  @ManyToOne(() => Order, {
    joinColumns: ["shop_id", "order_id"],
    referencedColumnNames: ["shop_id", "id"],
    hidden: true,
  })
  order!: Order;

  @Property({ type: "text" })
  @Field(() => PaymentMethod, { description: "The method of payment." })
  method!: PaymentMethod;

  @Property({ type: "text" })
  @Field(() => PaymentStatus, { description: "The status of the payment." })
  status!: PaymentStatus;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "In the order's currency." })
  amount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "What was given back of it." })
  refundedAmount!: string;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "ISO 4217 code." })
  currency!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The payment provider's reference." })
  reference!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The person or service that recorded it." })
  actorId!: string | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When the provider settled it; null while pending." })
  processedAt!: Date | null;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}

@Entity({ tableName: "refund_payments" })
@ObjectType({ description: "The part of a refund that went back through one payment.", simpleResolvers: true })
export class RefundPayment {
  [PrimaryKeyProp]?: ["shopId", "refundId", "paymentId"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  refundId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The payment." })
  paymentId!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "In the order's currency." })
  amount!: string;
}

@Entity({ tableName: "refund_items" })
@ObjectType({ description: "Units of one line that were given back.", simpleResolvers: true })
export class RefundItem {
  [PrimaryKeyProp]?: ["shopId", "refundId", "itemId"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  refundId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The order's line." })
  itemId!: string;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units." })
  quantity!: number;

  @Property({ type: "boolean" })
  @Field(() => Boolean, { description: "True when the units went back into stock." })
  restocked!: boolean;
}

@Entity({ tableName: "refunds" })
@ObjectType({ description: "A refund of an order: money, units, or both.", simpleResolvers: true })
export class Refund extends ShopRow {
  @ManyToOne(() => Order, {
    joinColumns: ["shop_id", "order_id"],
    referencedColumnNames: ["shop_id", "id"],
    hidden: true,
  })
  order!: Order;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "In the order's currency; 0 when units came back without money." })
  amount!: string;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "ISO 4217 code." })
  currency!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The reason of the refund." })
  reason!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The person or service that gave it back." })
  actorId!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was given back." })
  createdAt!: Date;

  /** Not mapped: read with the refund. */
  @Field(() => [RefundItem], { description: "The units that were given back; empty for a refund of an amount." })
  items?: RefundItem[];

  /** Not mapped: read with the refund. */
  @Field(() => [RefundPayment], { description: "The payments that the money went back through." })
  payments?: RefundPayment[];
}
