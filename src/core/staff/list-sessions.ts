import type { Kysely } from "kysely";
import { Field, ID, ObjectType } from "type-graphql";
import { runStatement, type Database } from "../database.ts";
import { TimestampScalar } from "../scalars.ts";
import { IS_OPEN } from "./open-session.ts";
import { digestToken } from "./token.ts";

@ObjectType("Session", { description: "A browser that the caller is logged in with.", simpleResolvers: true })
export class ListedSession {
  @Field(() => ID, { description: "For endSession. Newer sessions have later identifiers." })
  id!: string;

  @Field(() => TimestampScalar, { description: "When it was logged in." })
  createdAt!: Date;

  @Field(() => TimestampScalar, { description: "When it was last used, to the minute." })
  lastSeenAt!: Date;

  @Field(() => TimestampScalar, { description: "When it ends at the latest. An hour without use ends it before." })
  expiresAt!: Date;

  @Field(() => String, { nullable: true, description: "The IP address that the login came from." })
  address!: string | null;

  @Field(() => String, { nullable: true, description: "How the browser named itself, at most 512 characters of it." })
  userAgent!: string | null;

  @Field(() => Boolean, { description: "Whether it is the session of this request." })
  isCurrent!: boolean;
}

/** Somebody's sessions, newest first; `token` is that of the current one. */
export async function listSessions(
  database: Kysely<Database>,
  staffId: string,
  token: string,
): Promise<ListedSession[]> {
  return runStatement(
    database,
    `select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", address,
      user_agent as "userAgent", token_digest = $2 as "isCurrent"
    from sessions where staff_id = $1 and ${IS_OPEN}
    order by created_at desc, id desc`,
    [staffId, digestToken(token)],
  );
}
