import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { Staff } from "./staff.entity.ts";
import { Column } from "../column.ts";

/** A browser's session. The cookie has the token, this row only its digest. */
@Entity({ tableName: "sessions" })
@ObjectType({ description: "A session of the caller in a browser.", simpleResolvers: true })
export class Session {
  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the session. Newer sessions sort after older ones." })
  id!: string;

  @Property({ type: "bytea" })
  tokenDigest!: Buffer;

  @ManyToOne(() => Staff)
  staff!: Staff;

  @Column(() => String, { nullable: true, description: "The IP address of the login." })
  address!: string | null;

  @Column(() => String, { nullable: true, description: "The first 512 characters of the browser's User-Agent." })
  userAgent!: string | null;

  @Column(() => TimestampScalar, { description: "When the session was opened." })
  createdAt!: Date;

  /** Written at most once a minute. */
  @Column(() => TimestampScalar, { description: "When it was last used, to the minute." })
  lastSeenAt!: Date;

  @Column(() => TimestampScalar, {
    description: "When the session expires. It ends earlier after an hour without use.",
  })
  expiresAt!: Date;
}
