import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";

@Entity({ tableName: "webhook_endpoints" })
@ObjectType({ description: "An address that hears of changes in the shop.", simpleResolvers: true })
export class WebhookEndpoint {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID)
  id!: string;

  @Property({ type: "text" })
  @Field(() => String)
  url!: string;

  @Property({ type: "text[]" })
  @Field(() => [String], { description: "The topics that are sent to this endpoint." })
  topics!: string[];

  /** The signing secret, encrypted and bound to this row. */
  @Property({ type: "text" })
  sealedSecret!: string;

  @Property({ type: "text", nullable: true })
  createdBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  updatedAt!: Date;
}
