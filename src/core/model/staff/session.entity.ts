import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { Staff } from "./staff.entity.ts";
import { Row, rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";

/** A browser's session. The cookie has the token, this row only its digest. */
@Entity({ tableName: "sessions" })
@ObjectType({ description: "A session of the caller in a browser.", simpleResolvers: true })
export class Session extends rowOf(Row, {
  address: nullable(String, "The IP address of the login."),
  userAgent: nullable(String, "The first 512 characters of the browser's User-Agent."),
  createdAt: field(TimestampScalar, "When the session was opened."),
  /** Written at most once a minute. */
  lastSeenAt: field(TimestampScalar, "When it was last used, to the minute."),
  expiresAt: field(TimestampScalar, "When the session expires. It ends earlier after an hour without use."),
}) {
  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the session. Newer sessions sort after older ones." })
  id!: string;

  @Property({ type: "bytea" })
  tokenDigest!: Buffer;

  @ManyToOne(() => Staff)
  staff!: Staff;
}
