import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { ID, Int, ObjectType } from "type-graphql";
import { DecimalScalar } from "../scalars.ts";
import { Order } from "./order.entity.ts";
import { shopReference, ShopRow } from "../shop-row.ts";
import { rowOf } from "../column.ts";
import { field, nullable, type Values } from "../fields.ts";

/** What an order has of a variant. */
export const lineFields = {
  productId: field(ID, "The ID of the product, which may have been deleted."),
  variantId: field(ID, "The ID of the variant, which may have been deleted."),
  title: field(String, "The product's title at the time of sale."),
  variantTitle: field(String, "The variant's title at the time of sale."),
  sku: field(String, "The SKU at the time of sale. Empty if there was none."),
  quantity: field(Int, "The number of units sold."),
  unitPrice: field(
    DecimalScalar,
    "The unit price at the time of sale, before discount. Includes tax if the order's prices do.",
  ),
  discountAmount: field(DecimalScalar, "The discount on the line, including its share of the order's discount."),
  taxAmount: field(DecimalScalar, "The tax: included in the total if the order's prices include it, otherwise added."),
  taxRate: nullable(
    DecimalScalar,
    "The tax rate, as a percentage of the amount without tax. Null if the tax was given as an amount.",
  ),
  totalAmount: field(
    DecimalScalar,
    "The total: quantity times unit price, minus discount, plus tax unless the prices include it.",
  ),
};
export type OrderLine = Values<typeof lineFields>;

@Entity({ tableName: "order_items" })
@ObjectType({ description: "A line of an order, with product data from the time of sale.", simpleResolvers: true })
export class OrderItem extends rowOf(ShopRow, {
  ...lineFields,
  fulfilledQuantity: field(Int, "The number of fulfilled units."),
  refundedQuantity: field(Int, "The number of returned units, with or without a refund of money."),
  refundedAmount: field(DecimalScalar, "The part of the total that was refunded."),
  restockedQuantity: field(Int, "The number of units returned to stock."),
}) {
  [OptionalProps]?: "fulfilledQuantity" | "refundedQuantity" | "refundedAmount" | "restockedQuantity";

  @ManyToOne(() => Order, { ...shopReference("order_id"), hidden: true })
  order!: Order;

  @Property({ type: "integer" })
  position!: number;
}
