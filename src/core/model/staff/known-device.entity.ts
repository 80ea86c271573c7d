import { PrimaryKeyProp, type Opt } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Staff } from "./staff.entity.ts";

/** A browser that has logged in before. Failed logins elsewhere do not lock it out. */
@Entity({ tableName: "known_devices" })
export class KnownDevice {
  [PrimaryKeyProp]?: ["tokenDigest", "staff"];

  @PrimaryKey({ type: "bytea" })
  tokenDigest!: Buffer;

  @ManyToOne(() => Staff, { primary: true })
  staff!: Staff;

  @Property({ type: "timestamptz" })
  lastUsedAt!: Date;

  /** Wrong passwords for the account since the last login from this browser. */
  @Property({ type: "integer", default: 0 })
  guesses!: Opt<number>;
}
