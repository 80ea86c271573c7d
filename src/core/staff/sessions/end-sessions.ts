import type { EntityManager, FilterQuery } from "@mikro-orm/postgresql";
import { staffAuthor } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Origin } from "../../context.ts";
import { isId } from "../../model/ids.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { Session } from "../../model/staff/session.entity.ts";
import { digestToken } from "./token.ts";

/** The person who ends sessions of theirs, and where. */
interface Owner extends Pick<Staff, "id" | "email"> {
  origin: Origin;
}

/** Ends the session of the token, and answers whose it was. Undefined when there was none. */
export async function logOut(em: EntityManager, token: string, origin: Origin): Promise<Staff | undefined> {
  const ended = { tokenDigest: digestToken(token) };
  const session = await em.findOne(Session, ended, { populate: ["staff"], disableIdentityMap: true });
  if (!session) return undefined;
  const { staff } = session;
  return (await endOwnSessions(em, { ...staff, origin }, ended)) > 0 ? staff : undefined;
}

/** Ends one of somebody's own sessions. False when they have none with this id. */
export async function endSession(em: EntityManager, owner: Owner, id: string): Promise<boolean> {
  return isId(id) && (await endOwnSessions(em, owner, { id })) > 0;
}

/** Ends somebody's own sessions but the one of the token, if any is spared. Answers how many there were. */
export function endOtherSessions(em: EntityManager, owner: Owner, spared: string | undefined): Promise<number> {
  return endOwnSessions(em, owner, othersThan(spared));
}

/** Ends somebody's sessions but the one of the token, if any is spared. Answers how many there were, and tells nobody. */
export function endSessions(em: EntityManager, staffId: string, spared?: string): Promise<number> {
  return em.nativeDelete(Session, { staff: staffId, ...othersThan(spared) });
}

function othersThan(spared: string | undefined) {
  return spared === undefined ? {} : { tokenDigest: { $ne: digestToken(spared) } };
}

/** Ends these of somebody's own sessions, and tells their shops of it if there were any. */
async function endOwnSessions(em: EntityManager, owner: Owner, which: FilterQuery<Session>): Promise<number> {
  return em.transactional(async (transaction) => {
    const sessions = await transaction.nativeDelete(Session, { $and: [{ staff: owner.id }, which] });
    if (sessions > 0) {
      const details = { sessions: String(sessions) };
      const author = staffAuthor(owner, owner.origin);
      await auditInEachShop(transaction, author, owner, AuditAction.MEMBER_SESSIONS_ENDED, { details });
    }
    return sessions;
  });
}
