import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { Customer } from "../customers/customer.entity.ts";
import { MetadataEntry, type Metadata } from "../metadata.entity.ts";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { Channel, FulfillmentStatus, OrderStatus, OrderPaymentStatus } from "./order.enums.ts";
import { CreatedRow } from "../created-row.ts";
import { rowOf } from "../column.ts";
import { field, nullable, objectOf } from "../fields.ts";
import { editable, storedFields } from "../editable.ts";
import { text } from "../text.ts";
import { shopReference } from "../shop-row.ts";

export const orderFields = {
  notes: editable(String, text({ max: 5_000 }).nullable().default(null), {
    description: "Notes by staff or the customer.",
    limits: "Notes, at most 5000 characters.",
    complexity: 5,
  }),
};

@Entity({ tableName: "orders" })
@ReadableWith(Permission.READ_ORDERS)
@ObjectType({ description: "An order. Amounts are in the order's currency.", simpleResolvers: true })
export class Order extends rowOf(CreatedRow, {
  ...storedFields(orderFields),
  orderNumber: field(String, "The order number, unique in the shop."),
  receiptNumber: nullable(String, "The receipt number. Null if there is no receipt."),
  status: field(OrderStatus, "The status of the order."),
  paymentStatus: field(OrderPaymentStatus, "The payment status."),
  fulfillmentStatus: field(FulfillmentStatus, "The fulfillment status."),
  channel: field(Channel, "The sales channel."),
  pricesIncludeTax: field(Boolean, "Whether the prices of the order include tax, as set in the shop at that time."),
  subtotalAmount: field(DecimalScalar, "The sum of the lines before discounts. Includes tax if the prices do."),
  discountAmount: field(DecimalScalar, "The total discount, including discounts on lines."),
  taxAmount: field(DecimalScalar, "The sum of the lines' taxes: included in the total, or added to it."),
  roundingAmount: field(
    DecimalScalar,
    "The rounding of cash payments, which is part of the total. Negative if less was paid.",
  ),
  totalAmount: field(
    DecimalScalar,
    "Subtotal minus discount, plus tax unless the prices include it, plus the rounding of cash.",
  ),
  refundedAmount: field(DecimalScalar, "The amount refunded."),
  cancelReason: nullable(String, "The reason for the cancellation."),
  cancelledAt: nullable(TimestampScalar, "When it was cancelled."),
  version: field(Int, "The version. Increases with every change to the order, its lines, payments and refunds."),
  updatedAt: field(TimestampScalar, "When the order last changed."),
}) {
  [OptionalProps]?: "pricesIncludeTax" | "overpaidAmount" | "version";

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "The ISO 4217 currency code." })
  currency!: string;

  @ManyToOne(() => Customer, { ...shopReference("customer_id"), nullable: true })
  customer!: Customer | null;

  @Property({ type: "decimal", runtimeType: "string" })
  overpaidAmount!: string;

  /** Not mapped: read with the order if selected. */
  @Field(() => [MetadataEntry], { description: "Keys with values of the merchant's own, sorted by key." })
  metadata?: Metadata[];
}

@ObjectType({ description: "A page of orders.", simpleResolvers: true })
export class OrderPage extends pageOf(Order) {}

@ObjectType({ description: "The fields of a customer that are visible with READ_ORDERS alone.", simpleResolvers: true })
export class OrderCustomer extends objectOf({
  id: field(ID, "The ID of the customer, starting with cus_."),
  email: field(String, "The current email address."),
  firstName: field(String, "The current first name. Can be empty."),
  lastName: field(String, "The current last name. Can be empty."),
}) {}
