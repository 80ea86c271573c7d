import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";

@Entity({ tableName: "customers" })
@ReadableWith(Permission.READ_CUSTOMERS)
@ObjectType({ description: "Someone who buys from the shop.", simpleResolvers: true })
export class Customer extends ShopRow {
  [OptionalProps]?: "version" | "editedVersion";

  @Property({ type: "text" })
  @Field(() => String, { description: "In ASCII. Unique in the shop, in any case." })
  email!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "Empty when it is not known." })
  firstName!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "Empty when it is not known." })
  lastName!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "As it was written." })
  phone!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "A note by staff, never shown to the customer.", complexity: 5 })
  note!: string | null;

  @Property({ type: "text", lazy: true })
  searchText!: string;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Grows with every change of the customer and their store credit." })
  version!: number;

  /** Changes of store credit are no edits. */
  @Property({ type: "integer", default: 1 })
  editedVersion!: number;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the customer was created." })
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the customer or their store credit last changed." })
  updatedAt!: Date;
}

@ObjectType({ description: "A page of customers.", simpleResolvers: true })
export class CustomerPage extends pageOf(Customer) {}

/** A line of the append-only ledger whose sum is the customer's store credit. */
@Entity({ tableName: "store_credit_entries" })
@ObjectType({ description: "One change of a customer's store credit, and why.", simpleResolvers: true })
export class StoreCreditEntry extends ShopRow {
  @ManyToOne(() => Customer, { joinColumns: ["shop_id", "customer_id"], referencedColumnNames: ["shop_id", "id"] })
  customer!: Customer;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Granted, or, below zero, spent; in the shop's currency." })
  amount!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The reason for granting or spending it." })
  reason!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The order that it was spent on, or that it was given back for." })
  orderId!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The person, service or API key that granted or spent it." })
  actorId!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was granted or spent." })
  createdAt!: Date;
}
