import { LockMode, raw, type EntityManager, type FilterQuery } from "@mikro-orm/postgresql";
import type { Origin } from "../../context.ts";
import { newId, isId } from "../../model/ids.ts";
import type { Caller } from "../../model/permissions.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Session } from "../../model/staff/session.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { auditOwnChange } from "../accounts/account.ts";
import type { Browser } from "../accounts/caller.ts";
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

/** Ends the browser's session. Returns false when there was none. */
export async function logOut(browser: Browser): Promise<boolean> {
  if (browser.sessionToken === undefined) return false;
  const ended = { tokenDigest: digestToken(browser.sessionToken) };
  const session = await browser.em.findOne(Session, ended, { populate: ["staff"], disableIdentityMap: true });
  return session !== null && (await endOwnSessions(browser, session.staff, ended)) > 0;
}

/** Ends one of the caller's own sessions. Returns false when they have none with this id. */
export async function endSession(browser: Browser, { id: staffId, name: email }: Caller, id: string): Promise<boolean> {
  return isId(id) && (await endOwnSessions(browser, { id: staffId, email }, { id })) > 0;
}

/** Ends the caller's own sessions, except that of the browser, and returns their number. */
export function endOtherSessions(browser: Browser, { id, name: email }: Caller): Promise<number> {
  return endOwnSessions(browser, { id, email }, othersThan(browser.sessionToken));
}

/** Ends an account's sessions, except that of the given token, and returns their number, without audit entries. */
export function endSessions(em: EntityManager, staffId: string, spared?: string): Promise<number> {
  return em.nativeDelete(Session, { staff: staffId, ...othersThan(spared) });
}

function othersThan(spared: string | undefined) {
  return spared === undefined ? {} : { tokenDigest: { $ne: digestToken(spared) } };
}

/** Ends some of an account's own sessions. If there were any, it is audited in each shop and logged. */
async function endOwnSessions(
  { em, origin, report }: Browser,
  owner: Pick<Staff, "id" | "email">,
  which: FilterQuery<Session>,
): Promise<number> {
  const sessions = await transactional(em, async (transaction) => {
    const ended = await transaction.nativeDelete(Session, { $and: [{ staff: owner.id }, which] });
    const details = { sessions: String(ended) };
    if (ended > 0) await auditOwnChange(transaction, origin, owner, AuditAction.MEMBER_SESSIONS_ENDED, details);
    return ended;
  });
  if (sessions > 0) report("sessions_ended", owner.email, { sessions });
  return sessions;
}
