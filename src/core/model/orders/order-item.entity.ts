import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DecimalScalar } from "../scalars.ts";
import { Order } from "./order.entity.ts";
import { ShopRow } from "../shop-row.ts";

@Entity({ tableName: "order_items" })
@ObjectType({ description: "A line of an order: a snapshot that outlives its product.", simpleResolvers: true })
export class OrderItem extends ShopRow {
  [OptionalProps]?: "taxRate" | "fulfilledQuantity" | "refundedQuantity" | "restockedQuantity";

  @ManyToOne(() => Order, {
    joinColumns: ["shop_id", "order_id"],
    referencedColumnNames: ["shop_id", "id"],
    hidden: true,
  })
  order!: Order;

  @Property({ type: "integer" })
  position!: number;

  @Property({ type: "text" })
  @Field(() => ID, { description: "The product; it may be deleted since." })
  productId!: string;

  @Property({ type: "text" })
  @Field(() => ID, { description: "The variant; it may be deleted since." })
  variantId!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The product's title when it was sold." })
  title!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The variant's title when it was sold." })
  variantTitle!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "Stock keeping unit when it was sold; empty when there was none." })
  sku!: string;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units sold." })
  quantity!: number;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Price of one unit when it was sold, before discount and tax." })
  unitPrice!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Taken off the line, its share of the order's discount included." })
  discountAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Tax on the discounted amount." })
  taxAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Percent of the discounted amount." })
  taxRate!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Quantity times unit price, minus discount, plus tax." })
  totalAmount!: string;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units that were handed over." })
  fulfilledQuantity!: number;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units that were given back, with or without money." })
  refundedQuantity!: number;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units that went back into stock." })
  restockedQuantity!: number;
}
