import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { Order } from "./order.entity.ts";

export enum PaymentMethod {
  CASH = "CASH",
  CARD = "CARD",
  STORE_CREDIT = "STORE_CREDIT",
  GIFT_CARD = "GIFT_CARD",
  OTHER = "OTHER",
}

export enum PaymentState {
  PENDING = "PENDING",
  AUTHORIZED = "AUTHORIZED",
  CAPTURED = "CAPTURED",
  FAILED = "FAILED",
  VOIDED = "VOIDED",
}

registerEnumType(PaymentMethod, { name: "PaymentMethod", description: "How the customer paid." });
registerEnumType(PaymentState, { name: "PaymentState", description: "How far one payment came." });

@Entity({ tableName: "payments" })
@ObjectType({ description: "One payment towards an order.", simpleResolvers: true })
export class Payment {
  [PrimaryKeyProp]?: ["shopId", "id"];

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

  @Property({ type: "text" })
  @Field(() => PaymentMethod)
  method!: PaymentMethod;

  @Property({ type: "text" })
  @Field(() => PaymentState)
  status!: PaymentState;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar)
  amount!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar)
  refundedAmount!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "ISO 4217 code." })
  currency!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The payment provider's reference." })
  reference!: string | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When the provider settled it; null while pending." })
  processedAt!: Date | null;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}

/** Money given back from one payment. */
@Entity({ tableName: "refunds" })
export class Refund {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  id!: string;

  @ManyToOne(() => Order, { joinColumns: ["shop_id", "order_id"], referencedColumnNames: ["shop_id", "id"] })
  order!: Order;

  @ManyToOne(() => Payment, { joinColumns: ["shop_id", "payment_id"], referencedColumnNames: ["shop_id", "id"] })
  payment!: Payment;

  @Property({ type: "decimal", runtimeType: "string" })
  amount!: string;

  @Property({ type: "text" })
  currency!: string;

  @Property({ type: "text", nullable: true })
  reason!: string | null;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}
