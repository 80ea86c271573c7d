import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../model/ids.ts";
import type { Origin } from "../../context.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { Session } from "../../model/staff/session.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { digestToken, generateToken, type Token } from "./token.ts";

/** However it is used, a session ends 12 hours after the login. Milliseconds. */
const LIFETIME = 12 * 3_600_000;
/** SQL: whether a session has not ended, by its age or because it was not used for an hour. */
export const IS_OPEN = "expires_at > now() and last_seen_at > now() - interval '1 hour'";

/**
 * Opens a session; undefined when the account is disabled, or no longer has the password and the second factor that were
 * checked.
 */
export async function openSession(
  em: EntityManager,
  { id, passwordHash, secondFactorAt }: Staff,
  origin: Origin,
): Promise<Token | undefined> {
  // The lock lets what ends sessions, a change of either or a disabling, come wholly before or wholly after this.
  const allowed = { id, passwordHash, secondFactorAt, disabledAt: null };
  const staff = await em.findOne(Staff, allowed, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!staff) return undefined;
  const token = generateToken();
  const createdAt = await databaseTime(em);
  const expiresAt = new Date(createdAt.getTime() + LIFETIME);
  const tokenDigest = digestToken(token);
  const session = { ...origin, id: newId("ses"), tokenDigest, staff, createdAt, lastSeenAt: createdAt, expiresAt };
  em.persist(em.create(Session, session));
  return { token, expiresAt };
}
