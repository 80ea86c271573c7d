import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { Customer } from "../customers/customer.entity.ts";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { Channel, FulfillmentStatus, OrderStatus, OrderPaymentStatus } from "./order.enums.ts";
import { ShopRow } from "../shop-row.ts";

@Entity({ tableName: "orders" })
@ReadableWith(Permission.READ_ORDERS)
@ObjectType({ description: "An order. Amounts are in the order's currency.", simpleResolvers: true })
export class Order extends ShopRow {
  [OptionalProps]?: "version";

  @Property({ type: "text" })
  @Field(() => String, { description: "The order number, unique in the shop." })
  orderNumber!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The receipt number. Null if there is no receipt." })
  receiptNumber!: string | null;

  @Property({ type: "text" })
  @Field(() => OrderStatus, { description: "The status of the order." })
  status!: OrderStatus;

  @Property({ type: "text" })
  @Field(() => OrderPaymentStatus, { description: "The payment status." })
  paymentStatus!: OrderPaymentStatus;

  @Property({ type: "text" })
  @Field(() => FulfillmentStatus, { description: "The fulfilment status." })
  fulfillmentStatus!: FulfillmentStatus;

  @Property({ type: "text" })
  @Field(() => Channel, { description: "The sales channel." })
  channel!: Channel;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "The ISO 4217 currency code." })
  currency!: string;

  @ManyToOne(() => Customer, {
    joinColumns: ["shop_id", "customer_id"],
    referencedColumnNames: ["shop_id", "id"],
    nullable: true,
  })
  customer!: Customer | null;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "The sum of the lines, before discounts and tax." })
  subtotalAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "The total discount, including discounts on lines." })
  discountAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "The sum of the lines' taxes." })
  taxAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Subtotal minus discount plus tax." })
  totalAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "The amount refunded." })
  refundedAmount!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "Notes by staff or the customer.", complexity: 5 })
  notes!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The reason for the cancellation." })
  cancelReason!: string | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When it was cancelled." })
  cancelledAt!: Date | null;

  @Property({ type: "integer" })
  @Field(() => Int, {
    description: "The version. Increases with every change to the order, its lines, payments and refunds.",
  })
  version!: number;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the order was placed." })
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the order last changed." })
  updatedAt!: Date;
}

@ObjectType({ description: "A page of orders.", simpleResolvers: true })
export class OrderPage extends pageOf(Order) {}

@ObjectType({
  description: "The fields of a customer that are visible with READ_ORDERS alone.",
  simpleResolvers: true,
})
export class OrderCustomer {
  @Field(() => ID, { description: "The ID of the customer, starting with cus_." })
  id!: string;

  @Field(() => String, { description: "The current email address." })
  email!: string;

  @Field(() => String, { description: "The current first name. Can be empty." })
  firstName!: string;

  @Field(() => String, { description: "The current last name. Can be empty." })
  lastName!: string;
}
