import { OptionalProps } from "@mikro-orm/core";
import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";

@Entity({ tableName: "webhook_endpoints" })
@ObjectType({
  description:
    "An address that hears of changes in the shop. While it is paused, what happens is kept, and sent once it is not.",
  simpleResolvers: true,
})
export class WebhookEndpoint extends ShopRow {
  [OptionalProps]?: "paused" | "consecutiveFailures" | "failedProbes" | "replayTotal";

  @Property({ type: "text" })
  @Field(() => String, { description: "The URL that deliveries are sent to, in its normal form (WHATWG)." })
  url!: string;

  @Property({ type: "text[]" })
  @Field(() => [String], { description: "The topics that are sent to this endpoint." })
  topics!: string[];

  @Property({ type: "boolean" })
  @Field(() => Boolean, {
    description: "While paused, deliveries are kept and not sent; their attempts are not used up.",
  })
  paused!: boolean;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The purpose, in the words of the staff." })
  description!: string | null;

  @Property({ type: "text[]" })
  @Field(() => [String], {
    description: "The names, in lower case, of the headers of its own that are sent to it. Their values are not shown.",
  })
  headerNames!: string[];

  /** The headers with their values, encrypted and bound to this row; null when there are none. */
  @Property({ type: "text", nullable: true })
  sealedHeaders!: string | null;

  /** The signing secret, encrypted and bound to this row. */
  @Property({ type: "text" })
  sealedSecret!: string;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, {
    nullable: true,
    description: "The time from which the newest secret keys X-Webhook-Signature; null before the first rotation.",
  })
  secretActiveAt!: Date | null;

  /** Failed attempts since the last success. */
  @Property({ type: "integer", default: 0 })
  consecutiveFailures!: number;

  @Property({ type: "timestamptz", nullable: true })
  failingSince!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  lastFailedAt!: Date | null;

  /** While it is set, the circuit is open: nothing is sent but one probe from then on. */
  @Property({ type: "timestamptz", nullable: true })
  probeAt!: Date | null;

  @Property({ type: "integer", default: 0 })
  failedProbes!: number;

  @Property({ type: "timestamptz", nullable: true })
  warnedAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  disabledAt!: Date | null;

  @Property({ type: "text", nullable: true })
  disabledReason!: "GONE" | "FAILING" | null;

  /** The moment at which the replay ends. */
  @Property({ type: "timestamptz", nullable: true })
  replaysUntil!: Date | null;

  /** The moment of the first of the requests that make up this replay. */
  @Property({ type: "timestamptz", nullable: true })
  replayStartedAt!: Date | null;

  /** The number of deliveries that these requests took. */
  @Property({ type: "integer", default: 0 })
  replayTotal!: number;

  /** The secret before the last rotation, encrypted likewise. */
  @Property({ type: "text", nullable: true })
  sealedOldSecret!: string | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, {
    nullable: true,
    description:
      "Until when webhook-signature also has a signature by the secret before; null before the first rotation.",
  })
  oldSecretExpiresAt!: Date | null;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The member or service that created it; null for an operator." })
  createdBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it, or its secret, was last changed." })
  updatedAt!: Date;
}
