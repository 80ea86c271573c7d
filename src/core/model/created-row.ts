import { Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "./scalars.ts";
import { ShopRow } from "./shop-row.ts";

/** A row of a shop that records its creator. */
@ObjectType({ simpleResolvers: true })
export abstract class CreatedRow extends ShopRow {
  @Property({ type: "text", nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: "The ID of the staff member or service that created it. Null if an operator created it.",
  })
  createdBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;
}
