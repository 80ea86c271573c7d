import { PrimaryKeyProp, type Opt } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Staff } from "./staff.entity.ts";

/** The authenticator app of an account. It counts from the moment in `Staff.secondFactorAt`, and is pending before. */
@Entity({ tableName: "second_factors" })
export class SecondFactor {
  [PrimaryKeyProp]?: "staff";

  @ManyToOne(() => Staff, { primary: true })
  staff!: Staff;

  /** The secret that it makes codes from, encrypted and bound to the account. */
  @Property({ type: "text" })
  sealedSecret!: string;

  /** The time step of the last code that was taken: none is taken twice. */
  @Property({ type: "integer", default: 0 })
  lastStep!: Opt<number>;

  /** Codes that were tried since then. */
  @Property({ type: "integer", default: 0 })
  wrongCodes!: Opt<number>;

  /** The moment from which a pending one can no longer be confirmed; null once it counts. */
  @Property({ type: "timestamptz", nullable: true })
  expiresAt!: Opt<Date> | null;
}

/** Stands in for a code of the app, once. Its owner has the code, this row only its digest. */
@Entity({ tableName: "recovery_codes" })
export class RecoveryCode {
  [PrimaryKeyProp]?: ["staff", "codeDigest"];

  @ManyToOne(() => Staff, { primary: true })
  staff!: Staff;

  @PrimaryKey({ type: "bytea" })
  codeDigest!: Buffer;
}
