import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** Who did what to which credential, when, from where. Append-only. */
@Entity({ tableName: "audit_entries" })
export class AuditEntry {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  id!: string;

  @Property({ type: "text" })
  action!: string;

  @Property({ type: "text" })
  actorKind!: "STAFF" | "SERVICE" | "OPERATOR";

  @Property({ type: "text", nullable: true })
  actorId!: string | null;

  @Property({ type: "text", nullable: true })
  actorName!: string | null;

  @Property({ type: "text" })
  targetId!: string;

  @Property({ type: "text" })
  targetName!: string;

  @Property({ type: "json" })
  details!: Record<string, string>;

  @Property({ type: "text", nullable: true })
  address!: string | null;

  @Property({ type: "text", nullable: true })
  userAgent!: string | null;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}
