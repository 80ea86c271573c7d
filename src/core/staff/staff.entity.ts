import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";

/** What a member may do in one shop; `permissions.ts` says what each role grants. */
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

  @Property({ type: "text" })
  passwordHash!: string;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the account was made." })
  createdAt!: Date;
}

/** Joins a person to a shop with a role. */
@Entity({ tableName: "memberships" })
export class Membership {
  [PrimaryKeyProp]?: ["shopId", "staffId"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  staffId!: string;

  @Property({ type: "text" })
  role!: Role;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}

/** A logged-in browser. The cookie holds the token, this row only its digest. */
@Entity({ tableName: "sessions" })
export class Session {
  @PrimaryKey({ type: "text" })
  id!: string;

  @Property({ type: "bytea" })
  tokenDigest!: Buffer;

  @Property({ type: "text" })
  staffId!: string;

  @Property({ type: "text", nullable: true })
  address!: string | null;

  @Property({ type: "text", nullable: true })
  userAgent!: string | null;

  @Property({ type: "timestamptz" })
  createdAt!: Date;

  /** Written at most once a minute. */
  @Property({ type: "timestamptz" })
  lastSeenAt!: Date;

  @Property({ type: "timestamptz" })
  expiresAt!: Date;
}

/** Lets whoever shows its token join a shop. */
@Entity({ tableName: "invitations" })
@ObjectType({ description: "Lets whoever has its token join the shop.", simpleResolvers: true })
export class Invitation {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "For revokeInvitation." })
  id!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "Whose account it makes, or is for." })
  email!: string;

  @Property({ type: "text" })
  @Field(() => Role, { description: "What the new member may do." })
  role!: Role;

  @Property({ type: "bytea" })
  tokenDigest!: Buffer;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "Which member or service made it; null for an operator." })
  invitedBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was made." })
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "From then on it cannot be accepted." })
  expiresAt!: Date;
}
