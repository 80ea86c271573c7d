import type { EntityManager } from "@mikro-orm/postgresql";
import { notifyAccount } from "../../notifications/mail-jobs.sql.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { PasswordReset } from "../../model/staff/password-reset.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";

/**
 * Replaces the password, ends all sessions and reset tokens, and mails the owner. Returns false when the password has
 * changed since it was read.
 */
export async function replacePassword(
  em: EntityManager,
  { id, passwordHash }: Staff,
  replacement: string,
): Promise<boolean> {
  const replaced = await em.nativeUpdate(Staff, { id, passwordHash }, { passwordHash: replacement });
  if (replaced === 0) return false;
  // After the update, which blocks new sessions and tokens until the commit.
  await endSessions(em, id);
  await em.nativeDelete(PasswordReset, { staff: id });
  await notifyAccount(em, id, "PASSWORD_CHANGED");
  return true;
}
