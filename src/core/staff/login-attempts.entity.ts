import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** How often somebody tried to log in lately, in one way of counting. */
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
