import type { Kysely } from "kysely";
import { isId } from "../../platform/ids.ts";
import { runStatement, type Database } from "../database.ts";
import { digestToken } from "./token.ts";

/** Ends the session of the token. False when there was none. */
export async function logOut(database: Kysely<Database>, token: string): Promise<boolean> {
  const text = "delete from sessions where token_digest = $1 returning id";
  return (await runStatement(database, text, [digestToken(token)])).length > 0;
}

/** Ends one of somebody's own sessions. False when they have none by the id. */
export async function endSession(database: Kysely<Database>, staffId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const text = "delete from sessions where staff_id = $1 and id = $2 returning id";
  return (await runStatement(database, text, [staffId, id])).length > 0;
}

/** Ends somebody's sessions but the one of the token, if any is spared. Answers how many there were. */
export async function endSessions(database: Kysely<Database>, staffId: string, spared?: string): Promise<number> {
  const text = "delete from sessions where staff_id = $1 and token_digest is distinct from $2 returning id";
  const digest = spared === undefined ? null : digestToken(spared);
  return (await runStatement(database, text, [staffId, digest])).length;
}
