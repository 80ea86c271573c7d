import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Staff } from "./staff.entity.ts";

/** A token to set a new password once. The email has the token, this row only its digest. */
@Entity({ tableName: "password_resets" })
export class PasswordReset {
  @PrimaryKey({ type: "bytea" })
  tokenDigest!: Buffer;

  @ManyToOne(() => Staff)
  staff!: Staff;

  @Property({ type: "timestamptz" })
  expiresAt!: Date;
}
