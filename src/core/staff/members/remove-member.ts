import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { lockMember, requireAnotherOwner } from "../accounts/lock-member.ts";
import { revokeInvitationsBy } from "../invitations/revoke-invitation.ts";

/**
 * Ends a membership in all sessions, and revokes the member's invitations. The account stays, because it may
 * belong to other shops. Returns false when there is no such member.
 *
 * @throws AppError INVALID_STATE when the shop would have no owner
 */
export async function removeMember(operation: Operation<ShopKey>, staffId: string): Promise<boolean> {
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const member = await lockMember(em, shop.id, staffId);
    if (!member) return false;
    await requireAnotherOwner(em, member);
    em.remove(member);
    await revokeInvitationsBy(inside, staffId);
    const target = { id: staffId, name: member.staff.email };
    const details = { role: member.role };
    await recordAudit(inside, { action: AuditAction.MEMBER_REMOVED, target, details });
    return true;
  });
}
