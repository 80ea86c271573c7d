import { ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "./scalars.ts";
import { ShopRow } from "./shop-row.ts";
import { Column } from "./column.ts";

/** A row of a shop that records its creator. */
@ObjectType({ simpleResolvers: true })
export abstract class CreatedRow extends ShopRow {
  @Column(() => ID, {
    nullable: true,
    description: "The ID of the staff member or service that created it. Null if an operator created it.",
  })
  createdBy!: string | null;

  @Column(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;
}

/** A row of a shop that records who made the change. */
@ObjectType({ simpleResolvers: true })
export abstract class ActedRow extends ShopRow {
  actorId!: string | null;
}
