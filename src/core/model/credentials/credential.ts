import { OptionalProps } from "@mikro-orm/core";
import { Formula, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";

export enum CredentialStatus {
  ACTIVE = "ACTIVE",
  EXPIRED = "EXPIRED",
  REVOKED = "REVOKED",
}

registerEnumType(CredentialStatus, {
  name: "CredentialStatus",
  description: "The state of an API key or a service token.",
  valuesConfig: {
    ACTIVE: { description: "Can be used; an API key as far as the shop's plan goes." },
    EXPIRED: { description: "Its time is over; of an API key, also that which rotation left it." },
    REVOKED: { description: "Ended for good." },
  },
});

/** SQL: the status of a credential, from its times. */
export const CREDENTIAL_STATUS =
  "case when revoked_at is not null then 'REVOKED' when expires_at <= now() then 'EXPIRED' else 'ACTIVE' end";

/** SQL: true for a credential that can be used. */
export const CREDENTIAL_IS_ACTIVE = "revoked_at is null and (expires_at is null or expires_at > now())";

/** A secret that staff hand out; only its digest is stored. */
@ObjectType({ simpleResolvers: true })
export abstract class Credential extends ShopRow {
  [OptionalProps]?: "status";

  @Property({ type: "text" })
  @Field(() => String, { description: "The name that staff gave it. Names need not be unique." })
  name!: string;

  /** SHA-256 of the secret. */
  @Property({ type: "bytea", lazy: true })
  digest!: Buffer;

  @Property({ type: "text" })
  @Field(() => String, { description: "The secret's prefix, and the first characters after it." })
  firstCharacters!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The secret's last 4 characters." })
  lastCharacters!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The member or service that created it; null for an operator." })
  createdBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "From then on it is refused; null for never." })
  expiresAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When it was revoked; null when it was not." })
  revokedAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, {
    nullable: true,
    description: "The last request with it, known about ten seconds late; null before the first.",
  })
  lastUsedAt!: Date | null;

  @Formula(CREDENTIAL_STATUS, { type: "text" })
  @Field(() => CredentialStatus, { description: "The state of the credential." })
  status!: CredentialStatus;
}
