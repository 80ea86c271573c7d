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
@ObjectType({ description: "A sale. Amounts are in the order's currency.", simpleResolvers: true })
export class Order extends ShopRow {
  [OptionalProps]?: "version";

  @Property({ type: "text" })
  @Field(() => String, { description: "Unique in the shop." })
  orderNumber!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "Null when no receipt was printed." })
  receiptNumber!: string | null;

  @Property({ type: "text" })
  @Field(() => OrderStatus, { description: "Where the order as a whole stands." })
  status!: OrderStatus;

  @Property({ type: "text" })
  @Field(() => OrderPaymentStatus, { description: "The part of it that is paid or refunded." })
  paymentStatus!: OrderPaymentStatus;

  @Property({ type: "text" })
  @Field(() => FulfillmentStatus, { description: "The part of it that was handed over." })
  fulfillmentStatus!: FulfillmentStatus;

  @Property({ type: "text" })
  @Field(() => Channel, { description: "Where it was placed." })
  channel!: Channel;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "ISO 4217 code." })
  currency!: string;

  @ManyToOne(() => Customer, {
    joinColumns: ["shop_id", "customer_id"],
    referencedColumnNames: ["shop_id", "id"],
    nullable: true,
  })
  customer!: Customer | null;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Sum of quantity times unit price over the lines." })
  subtotalAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Taken off, the lines' shares included." })
  discountAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Sum of the lines' taxes." })
  taxAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Subtotal minus discount plus tax." })
  totalAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Sum of the refunds so far." })
  refundedAmount!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "A note by staff or the customer.", complexity: 5 })
  notes!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The reason of the cancellation." })
  cancelReason!: string | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When it was cancelled." })
  cancelledAt!: Date | null;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Counts the changes of the order, its lines, payments and refunds." })
  version!: number;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was placed." })
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it last changed." })
  updatedAt!: Date;
}

@ObjectType({ description: "A page of orders.", simpleResolvers: true })
export class OrderPage extends pageOf(Order) {}

@ObjectType({
  description: "What an order shows of its customer to those who may read orders alone.",
  simpleResolvers: true,
})
export class OrderCustomer {
  @Field(() => ID, { description: "Begins with cus_." })
  id!: string;

  @Field(() => String, { description: "As it is now." })
  email!: string;
}
