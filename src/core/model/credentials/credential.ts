import { OptionalProps } from "@mikro-orm/core";
import { Formula, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { CreatedRow } from "../created-row.ts";
import { enumType } from "../enum-type.ts";
import { rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";

export const CredentialStatus = enumType("CredentialStatus", "The status of an API key or a service token.", {
  ACTIVE: "Valid. The shop's plan can limit what an API key may do.",
  EXPIRED: "Expired, or past its rotation overlap.",
  REVOKED: "Revoked.",
});
export type CredentialStatus = keyof typeof CredentialStatus;

/** SQL: the status of a credential, derived from its times. */
export const CREDENTIAL_STATUS =
  "case when revoked_at is not null then 'REVOKED' when expires_at <= now() then 'EXPIRED' else 'ACTIVE' end";

/** SQL: true for a credential that can be used. */
export const CREDENTIAL_IS_ACTIVE = "revoked_at is null and (expires_at is null or expires_at > now())";

/** A secret that staff create. Only its digest is stored. */
@ObjectType({ simpleResolvers: true })
export abstract class Credential extends rowOf(CreatedRow, {
  name: field(String, "The name. Names do not have to be unique."),
  firstCharacters: field(String, "The prefix and the first characters of the secret."),
  lastCharacters: field(String, "The last 4 characters of the secret."),
  expiresAt: nullable(TimestampScalar, "When it expires. Null if it does not expire."),
  revokedAt: nullable(TimestampScalar, "When it was revoked. Null if it was not revoked."),
  lastUsedAt: nullable(
    TimestampScalar,
    "When it was last used, accurate to about ten seconds. Null if it has not been used.",
  ),
}) {
  [OptionalProps]?: "status";

  /** SHA-256 of the secret. */
  @Property({ type: "bytea", lazy: true })
  digest!: Buffer;

  @Formula(CREDENTIAL_STATUS, { type: "text" })
  @Field(() => CredentialStatus, { description: "The status of the credential." })
  status!: CredentialStatus;
}
