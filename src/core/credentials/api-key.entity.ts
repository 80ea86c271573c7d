import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** A merchant's key to the REST API. Its scopes never change; its secret is stored only as a digest. */
@Entity({ tableName: "api_keys" })
export class ApiKey {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  id!: string;

  @Property({ type: "text" })
  name!: string;

  /** SHA-256 of the secret. */
  @Property({ type: "bytea" })
  digest!: Buffer;

  @Property({ type: "text" })
  firstCharacters!: string;

  @Property({ type: "text" })
  lastCharacters!: string;

  @Property({ type: "text[]" })
  scopes!: string[];

  @Property({ type: "text", nullable: true })
  createdBy!: string | null;

  @Property({ type: "timestamptz" })
  createdAt!: Date;

  @Property({ type: "timestamptz", nullable: true })
  expiresAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  revokedAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  lastUsedAt!: Date | null;

  @Property({ type: "text", nullable: true })
  successorId!: string | null;
}
