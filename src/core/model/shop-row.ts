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
  @Field(() => ID, { description: "The unique ID. Its prefix names the type. Newer records sort after older ones." })
  id!: string;
}
