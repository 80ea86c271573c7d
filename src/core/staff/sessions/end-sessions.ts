import type { EntityManager, FilterQuery } from "@mikro-orm/postgresql";
import { staffActor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Origin } from "../../context.ts";
import { isId } from "../../model/ids.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { Session } from "../../model/staff/session.entity.ts";
import { digestToken } from "../accounts/token.ts";
import { transactional } from "../../queries/transaction.ts";

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
      const actor = staffActor(owner, owner.origin);
      await auditInEachShop(transaction, actor, owner, AuditAction.MEMBER_SESSIONS_ENDED, { details });
    }
    return sessions;
  });
}
