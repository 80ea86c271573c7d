import { OptionalProps } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";

/** A shop's plan. It decides which scopes and how many credentials the shop may have (spec section 5). */
export enum Plan {
  GROWTH = "GROWTH",
  ENTERPRISE = "ENTERPRISE",
  /** Full access until the trial ends, none after. */
  TRIAL = "TRIAL",
  NONE = "NONE",
}

registerEnumType(Plan, {
  name: "Plan",
  description: "What the shop pays for.",
  valuesConfig: {
    GROWTH: { description: "API keys may read only: 2 keys, 3 webhook endpoints." },
    ENTERPRISE: { description: "Everything: 10 keys, 25 webhook endpoints." },
    TRIAL: { description: "As ENTERPRISE until the trial ends, then as NONE." },
    NONE: { description: "No API keys and no webhook endpoints." },
  },
});

@Entity({ tableName: "shops" })
@ObjectType({ description: "A retail shop. Everything else belongs to one.", simpleResolvers: true })
export class Shop {
  [OptionalProps]?: "allowsOverselling" | "requiresSecondFactor";

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "Begins with shop_." })
  id!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "What staff call it." })
  name!: string;

  @Property({ type: "text" })
  @Field(() => Plan, { description: "It decides which API keys and webhook endpoints the shop may have." })
  plan!: Plan;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When the trial ends, if the plan is a trial." })
  trialEndsAt!: Date | null;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "ISO 4217 code. Every amount of the shop is in this currency." })
  currency!: string;

  /** What ISO 4217 said as the shop was created. */
  @Property({ type: "smallint" })
  @Field(() => Int, {
    description:
      "Decimals of the currency by ISO 4217, and so of every amount of the shop: 2 for EUR, 0 for JPY, 3 for KWD.",
  })
  currencyDecimals!: number;

  @Property({ type: "boolean" })
  @Field(() => Boolean, { description: "True when a sale may take stock below zero." })
  allowsOverselling!: boolean;

  @Property({ type: "boolean" })
  @Field(() => Boolean, { description: "True when owners need a second factor to do anything in the shop." })
  requiresSecondFactor!: boolean;

  /** Since when nobody changes anything and nothing is sent, for it is to move; null while it is open. */
  @Property({ type: "timestamptz", nullable: true })
  closedAt!: Date | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the shop was created." })
  createdAt!: Date;
}
