import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";

/** What a member may do in one shop; `permissions.ts` says what each role grants. */
export enum Role {
  OWNER = "OWNER",
  MANAGER = "MANAGER",
  CLERK = "CLERK",
  VIEWER = "VIEWER",
}

@Entity({ tableName: "staff" })
@ObjectType({ description: "A person who works for one or more shops.", simpleResolvers: true })
export class Staff {
  @PrimaryKey({ type: "text" })
  @Field(() => ID)
  id!: string;

  @Property({ type: "text" })
  @Field(() => String)
  email!: string;

  @Property({ type: "text" })
  passwordHash!: string;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
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
export class Invitation {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  id!: string;

  @Property({ type: "text" })
  email!: string;

  @Property({ type: "text" })
  role!: Role;

  @Property({ type: "bytea" })
  tokenDigest!: Buffer;

  @Property({ type: "text", nullable: true })
  invitedBy!: string | null;

  @Property({ type: "timestamptz" })
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  expiresAt!: Date;
}
