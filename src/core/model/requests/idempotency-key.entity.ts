import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { OwnedRow } from "../shop-row.ts";

/** The first response to a request with an idempotency key. Deleted after 24 hours. */
@Entity({ tableName: "idempotency_keys" })
export class IdempotencyKey extends OwnedRow {
  [PrimaryKeyProp]?: ["shopId", "callerId", "key"];

  /** The API key, service token or staff member that sent the key. */
  @PrimaryKey({ type: "text" })
  callerId!: string;

  @PrimaryKey({ type: "text" })
  key!: string;

  /** SHA-256 of the operation and its input. */
  @Property({ type: "bytea" })
  fingerprint!: Buffer;

  @Property({ type: "json" })
  result!: unknown;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}
