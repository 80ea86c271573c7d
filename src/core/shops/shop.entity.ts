import { OptionalProps } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";

/** What a shop pays for. It decides which scopes and how many credentials the shop may have (spec section 5). */
export enum Plan {
  GROWTH = "GROWTH",
  ENTERPRISE = "ENTERPRISE",
  /** Full access until the trial ends, none after. */
  TRIAL = "TRIAL",
  NONE = "NONE",
}

registerEnumType(Plan, { name: "Plan", description: "What the shop pays for." });

@Entity({ tableName: "shops" })
@ObjectType({ description: "A retail shop. Everything else belongs to one.", simpleResolvers: true })
export class Shop {
  [OptionalProps]?: "oversells";

  @PrimaryKey({ type: "text" })
  @Field(() => ID)
  id!: string;

  @Property({ type: "text" })
  @Field(() => String)
  name!: string;

  @Property({ type: "text" })
  @Field(() => Plan)
  plan!: Plan;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When the trial ends, if the plan is a trial." })
  trialEndsAt!: Date | null;

  @Property({ type: "text" })
  @Field(() => String, { description: "ISO 4217 code. Every amount of the shop is in this currency." })
  currency!: string;

  @Property({ type: "boolean" })
  @Field(() => Boolean, { description: "Whether a sale may take stock below zero." })
  oversells!: boolean;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  createdAt!: Date;
}
