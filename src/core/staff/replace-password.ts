import type { EntityManager } from "@mikro-orm/postgresql";
import { projections, runStatement } from "../database.ts";
import { endSessions } from "./end-sessions.ts";
import type { Staff } from "./staff.entity.ts";

/** Replaces the password and ends every session. False when it is no longer the one that the caller saw. */
export async function replacePassword(
  em: EntityManager,
  { id, passwordHash }: Staff,
  replacement: string,
): Promise<boolean> {
  const database = projections(em);
  const text = "update staff set password_hash = $3 where id = $1 and password_hash = $2 returning id";
  const replaced = await runStatement(database, text, [id, passwordHash, replacement]);
  if (replaced.length === 0) return false;
  // After the update: until the commit, nobody else opens a session.
  await endSessions(database, id);
  return true;
}
