import { OptionalProps, PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { pageOf } from "../pagination.ts";
import { TimestampScalar } from "../scalars.ts";

@Entity({ tableName: "customers" })
@ObjectType({ description: "Someone who buys from the shop.", simpleResolvers: true })
export class Customer {
  [PrimaryKeyProp]?: ["shopId", "id"];
  [OptionalProps]?: "version";

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID)
  id!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "Unique in the shop, whatever the case of its letters." })
  email!: string;

  @Property({ type: "text" })
  @Field(() => String)
  firstName!: string;

  @Property({ type: "text" })
  @Field(() => String)
  lastName!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true })
  phone!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "What staff noted; never shown to the customer." })
  note!: string | null;

  @Property({ type: "text", lazy: true })
  searchText!: string;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Counts the edits. Store credit and orders are no edits." })
  version!: number;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  updatedAt!: Date;
}

@ObjectType({ description: "A page of customers.", simpleResolvers: true })
export class CustomerPage extends pageOf(Customer) {}

/** A line of the append-only ledger whose sum is the customer's store credit. */
@Entity({ tableName: "store_credit_entries" })
export class StoreCreditEntry {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  id!: string;

  @ManyToOne(() => Customer, { joinColumns: ["shop_id", "customer_id"], referencedColumnNames: ["shop_id", "id"] })
  customer!: Customer;

  /** Positive when granted, negative when spent. */
  @Property({ type: "decimal", runtimeType: "string" })
  amount!: string;

  @Property({ type: "text" })
  reason!: string;

  /** The order that it was spent on, or that it was given back for. */
  @Property({ type: "text", nullable: true })
  orderId!: string | null;

  @Property({ type: "text", nullable: true })
  actorId!: string | null;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}
