import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { ID, Int, ObjectType } from "type-graphql";
import { Words } from "../../../platform/postgres/types.ts";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { ShopRow, shopReference } from "../shop-row.ts";
import { Column } from "../column.ts";

@Entity({ tableName: "customers" })
@ReadableWith(Permission.READ_CUSTOMERS)
@ObjectType({ description: "Someone who buys from the shop.", simpleResolvers: true })
export class Customer extends ShopRow {
  [OptionalProps]?: "version" | "editedVersion";

  @Column(() => String, { description: "The email address in ASCII, unique in the shop regardless of case." })
  email!: string;

  @Column(() => String, { description: "Empty if unknown." })
  firstName!: string;

  @Column(() => String, { description: "Empty if unknown." })
  lastName!: string;

  @Column(() => String, { nullable: true, description: "The phone number." })
  phone!: string | null;

  @Column(() => String, {
    nullable: true,
    description: "A note for staff, never shown to the customer.",
    complexity: 5,
  })
  note!: string | null;

  /** The words that a search finds. */
  @Property({ type: Words, lazy: true })
  searchWords!: string;

  @Column(() => Int, { description: "The version. Increases with every change to the customer or their store credit." })
  version!: number;

  /** Changes of store credit are not edits. */
  @Property({ type: "integer", default: 1 })
  editedVersion!: number;

  @Column(() => TimestampScalar, { description: "When the customer was created." })
  createdAt!: Date;

  @Column(() => TimestampScalar, { description: "When the customer or their store credit last changed." })
  updatedAt!: Date;
}

@ObjectType({ description: "A page of customers.", simpleResolvers: true })
export class CustomerPage extends pageOf(Customer) {}

/** An entry of the append-only ledger. The sum of a customer's entries is their store credit. */
@Entity({ tableName: "store_credit_entries" })
@ObjectType({ description: "A change to a customer's store credit.", simpleResolvers: true })
export class StoreCreditEntry extends ShopRow {
  @ManyToOne(() => Customer, shopReference("customer_id"))
  customer!: Customer;

  @Column(() => DecimalScalar, { description: "The amount granted, in the shop's currency. Negative if it was spent." })
  amount!: string;

  @Column(() => String, { description: "The reason for granting or spending it." })
  reason!: string;

  @Column(() => ID, { nullable: true, description: "The ID of the order that it was spent on or refunded for." })
  orderId!: string | null;

  @Column(() => ID, {
    nullable: true,
    description: "The ID of the staff member, service or API key that granted or spent it.",
  })
  actorId!: string | null;

  @Column(() => TimestampScalar, { description: "When it was granted or spent." })
  createdAt!: Date;
}
