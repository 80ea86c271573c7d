import { Entity } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import { ActedRow } from "../created-row.ts";
import { enumType } from "../enum-type.ts";
import { rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";

/** The largest stock of a variant, and the largest single change. */
export const MAX_QUANTITY = 1_000_000_000;
export const MAX_NOTE_LENGTH = 500;

export const StockReason = enumType("StockReason", "The reason for a stock change.", {
  INITIAL: "Initial stock of a new variant.",
  SOLD: "Sold in an order.",
  RETURNED: "Returned to stock by a refund.",
  CANCELLED: "Returned to stock by a cancelled order.",
  RECEIVED: "Goods were received.",
  COUNTED: "Result of a stocktake.",
  DAMAGED: "Units were damaged.",
  LOST: "Units were lost.",
  CORRECTED: "Correction of an earlier change.",
});
export type StockReason = keyof typeof StockReason;

/** An entry of the append-only stock history. */
@Entity({ tableName: "stock_changes" })
@ReadableWith(Permission.READ_PRODUCTS)
@ObjectType({ description: "A change to the stock of a variant.", simpleResolvers: true })
export class StockChange extends rowOf(ActedRow, {
  productId: field(ID, "The ID of the product, which may have been deleted."),
  variantId: field(ID, "The ID of the variant, which may have been deleted."),
  orderId: nullable(ID, "The ID of the order that caused the change."),
  reason: field(StockReason, "The reason for the change."),
  note: nullable(String, "A note on the change."),
  delta: field(Int, "The number of units added. Negative if units were removed."),
  quantityAfter: field(Int, "The number of units in stock after the change."),
  actorId: nullable(ID, "The ID of the staff member, service or API key that made the change."),
  createdAt: field(TimestampScalar, "When the change was made."),
}) {
  /** Not mapped, as those below: read with the change. */
  @Field(() => String, { nullable: true, description: "The current title of the product. Null if it was deleted." })
  productTitle?: string | null;

  @Field(() => String, { nullable: true, description: "The current title of the variant. Null if it was deleted." })
  variantTitle?: string | null;

  @Field(() => String, { nullable: true, description: "The number of the order. Null if orderId is null." })
  orderNumber?: string | null;
}

@ObjectType({ description: "A page of stock changes.", simpleResolvers: true })
export class StockChangePage extends pageOf(StockChange) {}
