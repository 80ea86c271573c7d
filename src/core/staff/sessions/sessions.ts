import { LockMode, raw, type EntityManager, type FilterQuery } from "@mikro-orm/postgresql";
import type { Origin } from "../../context.ts";
import { newId, isId } from "../../model/ids.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Session } from "../../model/staff/session.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { auditOwnChange } from "../accounts/account.ts";
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

/** The maximum number of listed sessions. Only the logins within 12 hours limit their number. */
export const MAX_LISTED = 100;

/** Lists an account's open sessions, newest first. */
export function listSessions(em: EntityManager, staffId: string): Promise<Session[]> {
  const orderBy = { createdAt: "desc", id: "desc" } as const;
  return em.find(
    Session,
    { staff: staffId, [raw(IS_OPEN)]: [] },
    { orderBy, limit: MAX_LISTED, disableIdentityMap: true },
  );
}

/** The owner of the sessions, with the origin of the request. */
interface Owner extends Pick<Staff, "id" | "email"> {
  origin: Origin;
}

/** Ends the session of the token and returns its owner. Undefined when there was none. */
export async function logOut(em: EntityManager, token: string, origin: Origin): Promise<Staff | undefined> {
  const ended = { tokenDigest: digestToken(token) };
  const session = await em.findOne(Session, ended, { populate: ["staff"], disableIdentityMap: true });
  if (!session) return undefined;
  const { staff } = session;
  return (await endOwnSessions(em, { ...staff, origin }, ended)) > 0 ? staff : undefined;
}

/** Ends one of the caller's own sessions. Returns false when they have none with this id. */
export async function endSession(em: EntityManager, owner: Owner, id: string): Promise<boolean> {
  return isId(id) && (await endOwnSessions(em, owner, { id })) > 0;
}

/** Ends the caller's own sessions, except that of the given token, and returns their number. */
export function endOtherSessions(em: EntityManager, owner: Owner, spared: string | undefined): Promise<number> {
  return endOwnSessions(em, owner, othersThan(spared));
}

/** Ends an account's sessions, except that of the given token, and returns their number, without audit entries. */
export function endSessions(em: EntityManager, staffId: string, spared?: string): Promise<number> {
  return em.nativeDelete(Session, { staff: staffId, ...othersThan(spared) });
}

function othersThan(spared: string | undefined) {
  return spared === undefined ? {} : { tokenDigest: { $ne: digestToken(spared) } };
}

/** Ends some of the caller's own sessions, and audits it in each shop if there were any. */
async function endOwnSessions(em: EntityManager, owner: Owner, which: FilterQuery<Session>): Promise<number> {
  return transactional(em, async (transaction) => {
    const sessions = await transaction.nativeDelete(Session, { $and: [{ staff: owner.id }, which] });
    if (sessions > 0) {
      const details = { sessions: String(sessions) };
      await auditOwnChange(transaction, owner.origin, owner, AuditAction.MEMBER_SESSIONS_ENDED, details);
    }
    return sessions;
  });
}
