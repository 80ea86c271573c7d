import { PrimaryKeyProp, type Opt } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Staff } from "./staff.entity.ts";

/** A browser that somebody has logged in from. Failures elsewhere do not keep them out. */
@Entity({ tableName: "known_devices" })
export class KnownDevice {
  [PrimaryKeyProp]?: ["tokenDigest", "staff"];

  @PrimaryKey({ type: "bytea" })
  tokenDigest!: Buffer;

  @ManyToOne(() => Staff, { primary: true })
  staff!: Staff;

  @Property({ type: "timestamptz" })
  lastUsedAt!: Date;

  /** Passwords tried for the account since somebody last logged in to it from there. */
  @Property({ type: "integer", default: 0 })
  guesses!: Opt<number>;
}
