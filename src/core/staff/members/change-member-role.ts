import { z } from "zod";
import { AppError } from "../../model/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { parseInput } from "../../validation/input.ts";
import { lockMember, requireAnotherOwner } from "../accounts/lock-member.ts";
import { mayInvite } from "../invitations/may-invite.ts";
import { revokeInvitationsBy } from "../invitations/revoke-invitation.ts";
import { Role, type Membership } from "../../model/staff/staff.entity.ts";

const changeMemberRoleSchema = z.strictObject({ role: z.enum(Role) });

/**
 * Changes a member's role in all of their sessions. Their invitations are revoked when the new role may not
 * invite. Returns the changed member.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE when the shop would have no owner
 */
export async function changeMemberRole(
  operation: Operation<ShopKey>,
  staffId: string,
  request: z.input<typeof changeMemberRoleSchema>,
): Promise<Membership> {
  const { role } = parseInput(changeMemberRoleSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const member = await lockMember(em, shop.id, staffId);
    if (!member) throw new AppError("NOT_FOUND", "Member not found");
    if (member.role === role) return member;
    await requireAnotherOwner(em, member);
    const target = { id: staffId, name: member.staff.email };
    const details = { from: member.role, to: role };
    member.role = role;
    if (!mayInvite(role)) await revokeInvitationsBy(inside, staffId);
    await recordAudit(inside, { action: AuditAction.MEMBER_ROLE_CHANGED, target, details });
    return member;
  });
}
