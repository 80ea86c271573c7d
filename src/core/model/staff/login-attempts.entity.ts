import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** A count of recent attempts to log in, in one way of counting. */
@Entity({ tableName: "login_attempts" })
export class LoginAttempts {
  /** SHA-256 of what is counted: an account, an address, or both. */
  @PrimaryKey({ type: "bytea" })
  key!: Buffer;

  @Property({ type: "integer" })
  attempts!: number;

  @Property({ type: "timestamptz" })
  windowEndsAt!: Date;
}
