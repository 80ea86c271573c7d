import { OptionalProps } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";

/** A shop's plan. It determines the scopes and the number of credentials (spec section 5). */
export enum Plan {
  GROWTH = "GROWTH",
  ENTERPRISE = "ENTERPRISE",
  /** Full access until the trial ends, none after. */
  TRIAL = "TRIAL",
  NONE = "NONE",
}

registerEnumType(Plan, {
  name: "Plan",
  description: "The plan of a shop.",
  valuesConfig: {
    GROWTH: { description: "Read scopes only, 2 API keys and 3 webhook endpoints." },
    ENTERPRISE: { description: "All scopes, 10 API keys and 25 webhook endpoints." },
    TRIAL: { description: "The same as ENTERPRISE until the trial ends, then the same as NONE." },
    NONE: { description: "No API keys and no webhook endpoints." },
  },
});

@Entity({ tableName: "shops" })
@ObjectType({ description: "A retail shop. All other records belong to a shop.", simpleResolvers: true })
export class Shop {
  [OptionalProps]?: "allowsOverselling" | "requiresSecondFactor";

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the shop, starting with shop_." })
  id!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The name of the shop." })
  name!: string;

  @Property({ type: "text" })
  @Field(() => Plan, {
    description: "The plan, which decides how many API keys and webhook endpoints the shop can have.",
  })
  plan!: Plan;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, {
    nullable: true,
    description: "When the trial ends. Null if the plan is not a trial.",
  })
  trialEndsAt!: Date | null;

  @Property({ type: "character", length: 3 })
  @Field(() => String, { description: "The currency of all amounts of the shop, as an ISO 4217 code." })
  currency!: string;

  /** As defined by ISO 4217 when the shop was created. */
  @Property({ type: "smallint" })
  @Field(() => Int, {
    description:
      "The number of decimals of the currency in ISO 4217: 2 for EUR, 0 for JPY, 3 for KWD. All amounts of the shop have them.",
  })
  currencyDecimals!: number;

  @Property({ type: "boolean" })
  @Field(() => Boolean, { description: "Whether to allow overselling, so that stock can become negative." })
  allowsOverselling!: boolean;

  @Property({ type: "boolean" })
  @Field(() => Boolean, { description: "Whether the shop requires two-factor authentication of its owners." })
  requiresSecondFactor!: boolean;

  /** When the shop was closed for a move. Requests are refused and nothing is sent. Null while it is open. */
  @Property({ type: "timestamptz", nullable: true })
  closedAt!: Date | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the shop was created." })
  createdAt!: Date;
}
