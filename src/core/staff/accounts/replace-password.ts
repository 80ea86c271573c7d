import type { EntityManager } from "@mikro-orm/postgresql";
import { endSessions } from "../sessions/end-sessions.ts";
import { Staff } from "./staff.entity.ts";

/** Replaces the password and ends every session. False when it is no longer the one that the caller saw. */
export async function replacePassword(
  em: EntityManager,
  { id, passwordHash }: Staff,
  replacement: string,
): Promise<boolean> {
  const replaced = await em.nativeUpdate(Staff, { id, passwordHash }, { passwordHash: replacement });
  if (replaced === 0) return false;
  // After the update: until the commit, nobody else opens a session.
  await endSessions(em, id);
  return true;
}
