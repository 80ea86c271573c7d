import { ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "./scalars.ts";
import { ShopRow } from "./shop-row.ts";
import { rowOf } from "./column.ts";
import { field, nullable } from "./fields.ts";

/** A row of a shop that records its creator. */
@ObjectType({ simpleResolvers: true })
export abstract class CreatedRow extends rowOf(ShopRow, {
  createdBy: nullable(ID, "The ID of the staff member or service that created it. Null if an operator created it."),
  createdAt: field(TimestampScalar, "When it was created."),
}) {}

/** A row of a shop that records who made the change. */
@ObjectType({ simpleResolvers: true })
export abstract class ActedRow extends ShopRow {
  actorId!: string | null;
}
