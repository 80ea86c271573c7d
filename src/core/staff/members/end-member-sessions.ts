import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { lockMember } from "./lock-member.ts";

/**
 * Ends all sessions of a member, and returns the account and the number of sessions. Sessions apply to all shops, but
 * only this shop's audit log has an entry, because its owners must not learn about the member's other shops.
 *
 * @throws AppError NOT_FOUND
 */
export async function endMemberSessions(
  em: EntityManager,
  shopId: string,
  author: Author,
  staffId: string,
): Promise<{ staff: Staff; sessions: number }> {
  return em.transactional(async (transaction) => {
    const member = await lockMember(transaction, shopId, staffId);
    if (!member) throw new AppError("NOT_FOUND", "Member not found");
    const { staff } = member;
    const sessions = await endSessions(transaction, staffId);
    if (sessions > 0) {
      const target = { id: staffId, name: staff.email };
      const details = { sessions: String(sessions) };
      await recordAudit(transaction, shopId, author, { action: AuditAction.MEMBER_SESSIONS_ENDED, target, details });
    }
    return { staff, sessions };
  });
}
