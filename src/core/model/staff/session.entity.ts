import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { Staff } from "./staff.entity.ts";

/** A logged-in browser. The cookie holds the token, this row only its digest. */
@Entity({ tableName: "sessions" })
@ObjectType({ description: "A browser that the caller is logged in with.", simpleResolvers: true })
export class Session {
  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The identifier for endSession. Newer sessions have later ones." })
  id!: string;

  @Property({ type: "bytea" })
  tokenDigest!: Buffer;

  @ManyToOne(() => Staff)
  staff!: Staff;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The IP address that the login came from." })
  address!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The browser's User-Agent, cut to 512 characters." })
  userAgent!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was logged in." })
  createdAt!: Date;

  /** Written at most once a minute. */
  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was last used, to the minute." })
  lastSeenAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it ends at the latest. An hour without use ends it before." })
  expiresAt!: Date;
}
