import { OptionalProps, PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DecimalScalar } from "../scalars.ts";
import { Order } from "./order.entity.ts";
import { shopReference } from "../shop-row.ts";
import { Column } from "../column.ts";

/** What an order has of a variant. */
@ObjectType({ simpleResolvers: true })
export abstract class OrderLine {
  @Column(() => ID, { description: "The ID of the product, which may have been deleted." })
  productId!: string;

  @Column(() => ID, { description: "The ID of the variant, which may have been deleted." })
  variantId!: string;

  @Column(() => String, { description: "The product's title at the time of sale." })
  title!: string;

  @Column(() => String, { description: "The variant's title at the time of sale." })
  variantTitle!: string;

  @Column(() => String, { description: "The SKU at the time of sale. Empty if there was none." })
  sku!: string;

  @Column(() => Int, { description: "The number of units sold." })
  quantity!: number;

  @Column(() => DecimalScalar, {
    description: "The unit price at the time of sale, before discount. Includes tax if the order's prices do.",
  })
  unitPrice!: string;

  @Column(() => DecimalScalar, {
    description: "The discount on the line, including its share of the order's discount.",
  })
  discountAmount!: string;

  @Column(() => DecimalScalar, {
    description: "The tax: included in the total if the order's prices include it, otherwise added.",
  })
  taxAmount!: string;

  @Column(() => DecimalScalar, {
    nullable: true,
    description: "The tax rate, as a percentage of the amount without tax. Null if the tax was given as an amount.",
  })
  taxRate!: string | null;

  @Column(() => DecimalScalar, {
    description: "The total: quantity times unit price, minus discount, plus tax unless the prices include it.",
  })
  totalAmount!: string;
}

@Entity({ tableName: "order_items" })
@ObjectType({ description: "A line of an order, with product data from the time of sale.", simpleResolvers: true })
export class OrderItem extends OrderLine {
  [PrimaryKeyProp]?: ["shopId", "id"];
  [OptionalProps]?: "fulfilledQuantity" | "refundedQuantity" | "refundedAmount" | "restockedQuantity";

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The unique ID. Its prefix names the type. Newer records sort after older ones." })
  id!: string;

  @ManyToOne(() => Order, { ...shopReference("order_id"), hidden: true })
  order!: Order;

  @Property({ type: "integer" })
  position!: number;

  @Column(() => Int, { description: "The number of fulfilled units." })
  fulfilledQuantity!: number;

  @Column(() => Int, { description: "The number of returned units, with or without a refund of money." })
  refundedQuantity!: number;

  @Column(() => DecimalScalar, { description: "The part of the total that was refunded." })
  refundedAmount!: string;

  @Column(() => Int, { description: "The number of units returned to stock." })
  restockedQuantity!: number;
}
