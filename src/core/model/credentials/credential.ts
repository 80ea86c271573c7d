import { OptionalProps } from "@mikro-orm/core";
import { Formula, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType, registerEnumType } from "type-graphql";
import { CreatedRow } from "../created-row.ts";
import { TimestampScalar } from "../scalars.ts";

export enum CredentialStatus {
  ACTIVE = "ACTIVE",
  EXPIRED = "EXPIRED",
  REVOKED = "REVOKED",
}

registerEnumType(CredentialStatus, {
  name: "CredentialStatus",
  description: "The status of an API key or a service token.",
  valuesConfig: {
    ACTIVE: { description: "Valid. The shop's plan can limit what an API key may do." },
    EXPIRED: { description: "Expired, or past its rotation overlap." },
    REVOKED: { description: "Revoked." },
  },
});

/** SQL: the status of a credential, derived from its times. */
export const CREDENTIAL_STATUS =
  "case when revoked_at is not null then 'REVOKED' when expires_at <= now() then 'EXPIRED' else 'ACTIVE' end";

/** SQL: true for a credential that can be used. */
export const CREDENTIAL_IS_ACTIVE = "revoked_at is null and (expires_at is null or expires_at > now())";

/** A secret that staff create. Only its digest is stored. */
@ObjectType({ simpleResolvers: true })
export abstract class Credential extends CreatedRow {
  [OptionalProps]?: "status";

  @Property({ type: "text" })
  @Field(() => String, { description: "The name. Names do not have to be unique." })
  name!: string;

  /** SHA-256 of the secret. */
  @Property({ type: "bytea", lazy: true })
  digest!: Buffer;

  @Property({ type: "text" })
  @Field(() => String, { description: "The prefix and the first characters of the secret." })
  firstCharacters!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The last 4 characters of the secret." })
  lastCharacters!: string;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When it expires. Null if it does not expire." })
  expiresAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When it was revoked. Null if it was not revoked." })
  revokedAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, {
    nullable: true,
    description: "When it was last used, accurate to about ten seconds. Null if it has not been used.",
  })
  lastUsedAt!: Date | null;

  @Formula(CREDENTIAL_STATUS, { type: "text" })
  @Field(() => CredentialStatus, { description: "The status of the credential." })
  status!: CredentialStatus;
}
