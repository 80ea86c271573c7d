import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { Permission } from "../permissions.ts";

/** Lets a service of the shop's own, such as a storefront's backend, use GraphQL. */
@Entity({ tableName: "service_tokens" })
export class ServiceToken {
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
  permissions!: Permission[];

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
}
