import { OptionalProps, PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DecimalScalar } from "../scalars.ts";
import { Order } from "./order.entity.ts";

@Entity({ tableName: "order_items" })
@ObjectType({ description: "A line of an order: a snapshot that outlives its product.", simpleResolvers: true })
export class OrderItem {
  [PrimaryKeyProp]?: ["shopId", "id"];
  [OptionalProps]?: "taxRate" | "fulfilledQuantity" | "refundedQuantity" | "restockedQuantity";

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID)
  id!: string;

  @ManyToOne(() => Order, {
    joinColumns: ["shop_id", "order_id"],
    referencedColumnNames: ["shop_id", "id"],
    hidden: true,
  })
  order!: Order;

  @Property({ type: "integer" })
  position!: number;

  @Property({ type: "text" })
  @Field(() => ID)
  productId!: string;

  @Property({ type: "text" })
  @Field(() => ID)
  variantId!: string;

  @Property({ type: "text" })
  @Field(() => String)
  title!: string;

  @Property({ type: "text" })
  @Field(() => String)
  variantTitle!: string;

  @Property({ type: "text" })
  @Field(() => String)
  sku!: string;

  @Property({ type: "integer" })
  @Field(() => Int)
  quantity!: number;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar)
  unitPrice!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar)
  discountAmount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar)
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
  @Field(() => Int, { description: "Units that were refunded." })
  refundedQuantity!: number;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units that went back into stock." })
  restockedQuantity!: number;
}
