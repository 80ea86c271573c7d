import { PrimaryKeyProp, type Opt } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import type { NotificationKind } from "../notifications/notification-kind.ts";
import { TimestampScalar } from "../scalars.ts";

/** A member's role in one shop; `access/permissions.ts` says what each role grants. */
export enum Role {
  OWNER = "OWNER",
  MANAGER = "MANAGER",
  CLERK = "CLERK",
  VIEWER = "VIEWER",
}

registerEnumType(Role, {
  name: "Role",
  description: "What a member of staff may do in one shop.",
  valuesConfig: {
    OWNER: { description: "Everything: staff, API keys, service tokens and webhook endpoints too. A shop keeps one." },
    MANAGER: { description: "See and change products, orders and customers." },
    CLERK: { description: "See products, orders and customers; change orders and customers." },
    VIEWER: { description: "See products, orders and customers." },
  },
});

@Entity({ tableName: "staff" })
@ObjectType({ description: "A person who works for one or more shops.", simpleResolvers: true })
export class Staff {
  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The same in every shop." })
  id!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "What they log in with." })
  email!: string;

  @Property({ type: "text", lazy: true })
  passwordHash!: string;

  /** Since when logging in takes a code too; null while it does not. */
  @Property({ type: "timestamptz", nullable: true })
  secondFactorAt!: Date | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the account was made." })
  createdAt!: Date;

  /** The moment at which an operator disabled the account: nobody logs in to it then. */
  @Property({ type: "timestamptz", nullable: true })
  disabledAt!: Date | null;
}

/** Joins a person to a shop with a role. */
@Entity({ tableName: "memberships" })
@ObjectType("Member", { description: "A person who works for the shop.", simpleResolvers: true })
export class Membership {
  [PrimaryKeyProp]?: ["shopId", "staff"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @ManyToOne(() => Staff, { primary: true })
  staff!: Staff;

  @Property({ type: "text" })
  @Field(() => Role, { description: "What they may do in this shop." })
  role!: Role;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When they joined this shop." })
  createdAt!: Date;

  /** The kinds of mails about the shop that they do not want. */
  @Property({ type: "text[]", defaultRaw: "'{}'" })
  mutedNotifications!: Opt<NotificationKind[]>;
}
