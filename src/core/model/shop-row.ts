import { PrimaryKeyProp } from "@mikro-orm/core";
import { PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";

/** A row of a shop. */
@ObjectType({ simpleResolvers: true })
export abstract class ShopRow {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "Its prefix tells the type. Newer records have later identifiers." })
  id!: string;
}
