import { OptionalProps, PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";

@Entity({ tableName: "webhook_endpoints" })
@ObjectType({ description: "An address that hears of changes in the shop.", simpleResolvers: true })
export class WebhookEndpoint {
  [PrimaryKeyProp]?: ["shopId", "id"];
  [OptionalProps]?: "paused";

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

  @Property({ type: "boolean" })
  @Field(() => Boolean, { description: "While paused, events are kept and not sent." })
  paused!: boolean;

  /** The signing secret, encrypted and bound to this row. */
  @Property({ type: "text" })
  sealedSecret!: string;

  @Property({ type: "timestamptz", nullable: true })
  secretActiveAt!: Date | null;

  /** The secret before the last rotation, encrypted likewise. */
  @Property({ type: "text", nullable: true })
  sealedOldSecret!: string | null;

  @Property({ type: "timestamptz", nullable: true })
  oldSecretExpiresAt!: Date | null;

  @Property({ type: "text", nullable: true })
  createdBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  updatedAt!: Date;
}
