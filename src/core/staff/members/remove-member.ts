import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { lockMember, requireAnotherOwner } from "./lock-member.ts";
import { revokeInvitationsBy } from "../invitations/revoke-invitation.ts";

/**
 * Ends a membership, at once in all sessions, and revokes the member's invitations. The account stays, because it may
 * belong to other shops. Returns false when there is no such member.
 *
 * @throws AppError INVALID_STATE when the shop would have no owner
 */
export async function removeMember(
  em: EntityManager,
  shopId: string,
  author: Author,
  staffId: string,
): Promise<boolean> {
  return em.transactional(async (transaction) => {
    const member = await lockMember(transaction, shopId, staffId);
    if (!member) return false;
    await requireAnotherOwner(transaction, member);
    transaction.remove(member);
    await revokeInvitationsBy(transaction, shopId, author, staffId);
    const target = { id: staffId, name: member.staff.email };
    const details = { role: member.role };
    await recordAudit(transaction, shopId, author, { action: AuditAction.MEMBER_REMOVED, target, details });
    return true;
  });
}
