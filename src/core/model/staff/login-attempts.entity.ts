import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** A counter of recent login attempts. */
@Entity({ tableName: "login_attempts" })
export class LoginAttempts {
  /** SHA-256 of the counter's key: an account, an address, or both. */
  @PrimaryKey({ type: "bytea" })
  key!: Buffer;

  @Property({ type: "integer" })
  attempts!: number;

  @Property({ type: "timestamptz" })
  windowEndsAt!: Date;
}
