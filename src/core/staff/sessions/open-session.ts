import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../model/ids.ts";
import type { Origin } from "../../context.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { Session } from "../../model/staff/session.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { digestToken, generateToken, type Token } from "../accounts/token.ts";

/** The maximum lifetime of a session: 12 hours. Milliseconds. */
const LIFETIME = 12 * 3_600_000;
/** SQL: true for a session that is not expired and was used within an hour. */
export const IS_OPEN = "expires_at > now() and last_seen_at > now() - interval '1 hour'";

/**
 * Opens a session. Undefined when the account is disabled, or its password or second factor has changed since it was
 * checked.
 */
export async function openSession(
  em: EntityManager,
  { id, passwordHash, secondFactorAt }: Staff,
  origin: Origin,
): Promise<Token | undefined> {
  // The lock makes changes that end sessions run entirely before or after this.
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
