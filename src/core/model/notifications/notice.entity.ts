import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { NotificationKind } from "./notification-kind.ts";
import { OwnedRow } from "../shop-row.ts";

/** A fact that staff are notified of by mail. It has one row per target. */
@Entity({ tableName: "notices" })
export class Notice extends OwnedRow {
  [PrimaryKeyProp]?: ["shopId", "kind", "targetId"];

  @PrimaryKey({ type: "text" })
  kind!: NotificationKind;

  @PrimaryKey({ type: "text" })
  targetId!: string;

  @Property({ type: "text" })
  targetName!: string;

  /** The number of occurrences since the last email. */
  @Property({ type: "integer" })
  count!: number;

  @Property({ type: "json" })
  details!: Record<string, string>;

  /** The time of the last occurrence. */
  @Property({ type: "timestamptz" })
  createdAt!: Date;

  /** Null until an email includes it. */
  @Property({ type: "timestamptz", nullable: true })
  mailedAt!: Date | null;
}
