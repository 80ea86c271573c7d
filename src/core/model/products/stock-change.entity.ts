import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";

/** The largest stock of a variant, and the largest single change. */
export const MAX_QUANTITY = 1_000_000_000;

export enum StockReason {
  INITIAL = "INITIAL",
  SOLD = "SOLD",
  RETURNED = "RETURNED",
  CANCELLED = "CANCELLED",
  RECEIVED = "RECEIVED",
  COUNTED = "COUNTED",
  DAMAGED = "DAMAGED",
  LOST = "LOST",
  CORRECTED = "CORRECTED",
}

registerEnumType(StockReason, {
  name: "StockReason",
  description: "The reason for a stock change.",
  valuesConfig: {
    INITIAL: { description: "Initial stock of a new variant." },
    SOLD: { description: "Sold in an order." },
    RETURNED: { description: "Returned to stock by a refund." },
    CANCELLED: { description: "Returned to stock by a cancelled order." },
    RECEIVED: { description: "Goods were received." },
    COUNTED: { description: "Result of a stocktake." },
    DAMAGED: { description: "Units were damaged." },
    LOST: { description: "Units were lost." },
    CORRECTED: { description: "Correction of an earlier change." },
  },
});

/** An entry of the append-only stock history. */
@Entity({ tableName: "stock_changes" })
@ReadableWith(Permission.READ_PRODUCTS)
@ObjectType({ description: "A change to the stock of a variant.", simpleResolvers: true })
export class StockChange extends ShopRow {
  @Property({ type: "text" })
  @Field(() => ID, { description: "The ID of the product, which may have been deleted." })
  productId!: string;

  @Property({ type: "text" })
  @Field(() => ID, { description: "The ID of the variant, which may have been deleted." })
  variantId!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The ID of the order that caused the change." })
  orderId!: string | null;

  @Property({ type: "text" })
  @Field(() => StockReason, { description: "The reason for the change." })
  reason!: StockReason;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "A note on the change." })
  note!: string | null;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "The number of units added. Negative if units were removed." })
  delta!: number;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "The number of units in stock after the change." })
  quantityAfter!: number;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: "The ID of the staff member, service or API key that made the change.",
  })
  actorId!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the change was made." })
  createdAt!: Date;
}

@ObjectType({ description: "A page of stock changes.", simpleResolvers: true })
export class StockChangePage extends pageOf(StockChange) {}
