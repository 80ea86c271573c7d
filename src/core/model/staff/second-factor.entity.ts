import { PrimaryKeyProp, type Opt } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Staff } from "./staff.entity.ts";

/** The authenticator app of an account. It is required from `Staff.secondFactorAt` on, and pending before. */
@Entity({ tableName: "second_factors" })
export class SecondFactor {
  [PrimaryKeyProp]?: "staff";

  @ManyToOne(() => Staff, { primary: true })
  staff!: Staff;

  /** The secret of the app, encrypted and bound to the account. */
  @Property({ type: "text" })
  sealedSecret!: string;

  /** The time step of the last accepted code, so that each code works once. */
  @Property({ type: "integer", default: 0 })
  lastStep!: Opt<number>;

  /** Consecutive wrong codes. */
  @Property({ type: "integer", default: 0 })
  wrongCodes!: Opt<number>;

  /** When a pending app can no longer be confirmed. Null once it is confirmed. */
  @Property({ type: "timestamptz", nullable: true })
  expiresAt!: Opt<Date> | null;
}

/** A recovery code, which replaces a code of the app once. Only its digest is stored. */
@Entity({ tableName: "recovery_codes" })
export class RecoveryCode {
  [PrimaryKeyProp]?: ["staff", "codeDigest"];

  @ManyToOne(() => Staff, { primary: true })
  staff!: Staff;

  @PrimaryKey({ type: "bytea" })
  codeDigest!: Buffer;
}
