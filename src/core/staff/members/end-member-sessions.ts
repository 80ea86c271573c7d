import { AppError } from "../../model/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { lockMember } from "../accounts/lock-member.ts";

/**
 * Ends all sessions of a member, and returns the account and the number of sessions. Sessions apply to all shops, but
 * only this shop's audit log has an entry, because its owners must not learn about the member's other shops.
 *
 * @throws AppError NOT_FOUND
 */
export async function endMemberSessions(
  operation: Operation<ShopKey>,
  staffId: string,
): Promise<{ staff: Staff; sessions: number }> {
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const member = await lockMember(em, shop.id, staffId);
    if (!member) throw new AppError("NOT_FOUND", "Member not found");
    const { staff } = member;
    const sessions = await endSessions(em, staffId);
    if (sessions > 0) {
      const target = { id: staffId, name: staff.email };
      const details = { sessions: String(sessions) };
      await recordAudit(inside, { action: AuditAction.MEMBER_SESSIONS_ENDED, target, details });
    }
    return { staff, sessions };
  });
}
