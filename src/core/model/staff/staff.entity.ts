import { PrimaryKeyProp, type Opt } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import type { NotificationKind } from "../notifications/notification-kind.ts";
import { TimestampScalar } from "../scalars.ts";
import { enumType } from "../enum-type.ts";
import { Row, rowOf } from "../column.ts";
import { OwnedRow } from "../shop-row.ts";
import { field } from "../fields.ts";

/** A member's role in one shop. `access/permissions.ts` lists the permissions of each role. */
export const Role = enumType("Role", "The role of a staff member in a shop.", {
  OWNER: "Full access, including staff, API keys, service tokens and webhook endpoints. A shop always has an owner.",
  MANAGER: "View and change products, orders and customers.",
  CLERK: "View products, orders and customers. Change orders and customers.",
  VIEWER: "View products, orders and customers.",
});
export type Role = keyof typeof Role;

@Entity({ tableName: "staff" })
@ObjectType({ description: "A person who works for one or more shops.", simpleResolvers: true })
export class Staff extends rowOf(Row, {
  email: field(String, "The email address for logging in."),
  createdAt: field(TimestampScalar, "When the account was created."),
}) {
  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the account, the same in every shop." })
  id!: string;

  @Property({ type: "text", lazy: true })
  passwordHash!: string;

  /** When two-factor authentication was turned on. Null while it is off. */
  @Property({ type: "timestamptz", nullable: true })
  secondFactorAt!: Date | null;

  /** When an operator disabled the account. A disabled account cannot log in. */
  @Property({ type: "timestamptz", nullable: true })
  disabledAt!: Date | null;
}

/** A membership: an account in a shop, with a role. */
@Entity({ tableName: "memberships" })
@ObjectType("Member", { description: "A staff member of the shop.", simpleResolvers: true })
export class Membership extends rowOf(OwnedRow, {
  role: field(Role, "Their role in this shop."),
  createdAt: field(TimestampScalar, "When they joined this shop."),
}) {
  [PrimaryKeyProp]?: ["shopId", "staff"];

  @ManyToOne(() => Staff, { primary: true })
  staff!: Staff;

  /** The kinds of mails about the shop that they turned off. */
  @Property({ type: "text[]", defaultRaw: "'{}'" })
  mutedNotifications!: Opt<NotificationKind[]>;
}
