import { OptionalProps } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { z } from "zod";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { enumType } from "../enum-type.ts";
import { Row, rowOf } from "../column.ts";
import { editable, storedFields } from "../editable.ts";
import { line } from "../text.ts";
import { field, nullable } from "../fields.ts";

/** A shop's plan. It determines the scopes and the number of credentials. */
export const Plan = enumType("Plan", "The plan of a shop.", {
  GROWTH: "Read scopes only, 2 API keys and 3 webhook endpoints.",
  ENTERPRISE: "All scopes, 10 API keys and 25 webhook endpoints.",
  TRIAL: "The same as ENTERPRISE until the trial ends, then the same as NONE.",
  NONE: "No API keys and no webhook endpoints.",
});
export type Plan = keyof typeof Plan;

export const SandboxContent = enumType("SandboxContent", "What a sandbox contains.", {
  PRODUCTS: "A copy of the shop's products, with sample customers and orders of the last 30 days.",
  SAMPLE: "Sample products, with sample customers and orders of the last 30 days.",
  EMPTY: "Nothing.",
});
export type SandboxContent = keyof typeof SandboxContent;

export const SandboxState = enumType("SandboxState", "The state of a sandbox.", {
  FILLING: "It is being filled. Requests fail with UNAVAILABLE until then.",
  READY: "It can be used.",
  FAILED: "An unexpected error stopped the filling. Reset it to try again.",
});
export type SandboxState = keyof typeof SandboxState;

const ignoresNull = true;

/** The settings of a shop. Cash roundings and tax rates are checked further by `updateShop`. */
export const shopSettings = {
  name: editable(String, line({ max: 255 }), {
    description: "The name of the shop.",
    limits: "1 to 255 characters after trimming, in one line.",
    ignoresNull,
  }),
  pricesIncludeTax: editable(Boolean, z.boolean(), {
    description: "Whether the prices of variants include tax. Each order keeps the value from when it was placed.",
    limits: "Whether the prices of variants include tax. Applies to new orders only.",
    ignoresNull,
  }),
  cashRounding: editable(DecimalScalar, z.string(), {
    description:
      "The amount to whose multiples cash is rounded, such as 0.05. Halves are rounded up. 0 if cash is not rounded.",
    limits: "The amount to whose multiples cash is rounded: one of `Shop.cashRoundings`. 0 to not round.",
    ignoresNull,
  }),
  defaultTaxRate: editable(DecimalScalar, z.string().nullable(), {
    description:
      "The tax rate, in percent, of lines of new orders that have neither a tax rate nor a tax amount. Null if they are sold without tax.",
    limits:
      "The tax rate of lines that have neither a tax rate nor a tax amount: 0 to 100, with at most 4 decimals. Applies to new orders only.",
    changing: "Null to sell them without tax.",
  }),
  allowsOverselling: editable(Boolean, z.boolean(), {
    description: "Whether to allow overselling, so that stock can become negative.",
    ignoresNull,
  }),
  requiresSecondFactor: editable(Boolean, z.boolean(), {
    description: "Whether the shop requires two-factor authentication of its owners.",
    limits:
      "Whether to require two-factor authentication of owners, with immediate effect. Fails with SECOND_FACTOR_NOT_ENROLLED if you do not use it yourself.",
    ignoresNull,
  }),
};

@Entity({ tableName: "shops" })
@ObjectType({ description: "A retail shop. All other records belong to a shop.", simpleResolvers: true })
export class Shop extends rowOf(Row, {
  ...storedFields(shopSettings),
  plan: field(Plan, "The plan, which decides how many API keys and webhook endpoints the shop can have."),
  trialEndsAt: nullable(TimestampScalar, "When the trial ends. Null if the plan is not a trial."),
  sandboxOf: nullable(ID, "The ID of the shop whose sandbox this is. Null for other shops."),
  sandboxState: nullable(SandboxState, "The state of the sandbox. Null for other shops."),
  sandboxContent: nullable(SandboxContent, "What the sandbox contains. Null for other shops."),
  createdAt: field(TimestampScalar, "When the shop was created."),
}) {
  [OptionalProps]?: "pricesIncludeTax" | "allowsOverselling" | "requiresSecondFactor";

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the shop, starting with shop_." })
  id!: string;

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

  /** When the shop was closed for a move. Requests are refused and nothing is sent. Null while it is open. */
  @Property({ type: "timestamptz", nullable: true })
  closedAt!: Date | null;

  /**
   * The host, port and database to which a closed shop moves, or has moved. Also set there until it is opened. Only moves
   * read it.
   */
  @Property({ type: "text", nullable: true })
  movedTo?: string | null;

  /** Set while the shop is being deleted: it has lost rows, so it cannot be opened. */
  @Property({ type: "timestamptz", nullable: true })
  deletionStartedAt!: Date | null;

  /** Where filling continues: null until earlier records are deleted, then the last copied product. */
  @Property({ type: "text", nullable: true, lazy: true })
  sandboxCursor?: string | null;

  /** When the sandbox was last opened, to the day. */
  @Property({ type: "timestamptz", nullable: true, lazy: true })
  sandboxUsedAt?: Date | null;
}
