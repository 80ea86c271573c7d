import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { NotificationKind } from "./notification-kind.ts";

/** Something that staff are to hear of by mail, or heard of. There is one for each thing that it is about. */
@Entity({ tableName: "notices" })
export class Notice {
  [PrimaryKeyProp]?: ["shopId", "kind", "targetId"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  kind!: NotificationKind;

  @PrimaryKey({ type: "text" })
  targetId!: string;

  @Property({ type: "text" })
  targetName!: string;

  /** The number of times that it happened since the last email to staff. */
  @Property({ type: "integer" })
  count!: number;

  @Property({ type: "json" })
  details!: Record<string, string>;

  /** The last time that it happened. */
  @Property({ type: "timestamptz" })
  createdAt!: Date;

  /** Null until an email includes it. */
  @Property({ type: "timestamptz", nullable: true })
  mailedAt!: Date | null;
}
