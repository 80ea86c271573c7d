import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";

/** The bound of a variant's stock, and of one change of it. */
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
  description: "The reason of a change of stock.",
  valuesConfig: {
    INITIAL: { description: "The variant was created with it." },
    SOLD: { description: "An order took it." },
    RETURNED: { description: "A refund put it back." },
    CANCELLED: { description: "A cancelled order put it back." },
    RECEIVED: { description: "Goods came in." },
    COUNTED: { description: "A stocktake found it." },
    DAMAGED: { description: "Units cannot be sold any more." },
    LOST: { description: "Units are missing." },
    CORRECTED: { description: "An earlier change was wrong." },
  },
});

/** A line of the append-only history of stock. */
@Entity({ tableName: "stock_changes" })
@ReadableWith(Permission.READ_PRODUCTS)
@ObjectType({ description: "One change of a variant's stock, and why.", simpleResolvers: true })
export class StockChange extends ShopRow {
  @Property({ type: "text" })
  @Field(() => ID, { description: "The product; it may be deleted since." })
  productId!: string;

  @Property({ type: "text" })
  @Field(() => ID, { description: "The variant; it may be deleted since." })
  variantId!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The order that caused it." })
  orderId!: string | null;

  @Property({ type: "text" })
  @Field(() => StockReason, { description: "The reason of the change." })
  reason!: StockReason;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "A note on the change." })
  note!: string | null;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units added, or, below zero, taken." })
  delta!: number;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units in stock after the change." })
  quantityAfter!: number;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The person, service or API key that changed it." })
  actorId!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it changed." })
  createdAt!: Date;
}

@ObjectType({ description: "A page of stock changes.", simpleResolvers: true })
export class StockChangePage extends pageOf(StockChange) {}
