import type { EntityManager } from "@mikro-orm/postgresql";
import { tellAccount } from "../../notifications/mail-jobs.sql.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { PasswordReset } from "../../model/staff/password-reset.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";

/**
 * Replaces the password, ends every session and every token that could reset it, and tells its owner by mail. False when
 * it is no longer the one that the caller saw.
 */
export async function replacePassword(
  em: EntityManager,
  { id, passwordHash }: Staff,
  replacement: string,
): Promise<boolean> {
  const replaced = await em.nativeUpdate(Staff, { id, passwordHash }, { passwordHash: replacement });
  if (replaced === 0) return false;
  // After the update: until the commit, nobody else opens a session or gets a token.
  await endSessions(em, id);
  await em.nativeDelete(PasswordReset, { staff: id });
  await tellAccount(em, id, "PASSWORD_CHANGED");
  return true;
}
