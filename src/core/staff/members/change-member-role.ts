import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError } from "../../model/errors.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { parseInput } from "../../validation/input.ts";
import { lockMember, requireAnotherOwner } from "./lock-member.ts";
import { mayInvite } from "../invitations/may-invite.ts";
import { revokeInvitationsBy } from "../invitations/revoke-invitation.ts";
import { Role, type Membership } from "../../model/staff/staff.entity.ts";

const changeMemberRoleSchema = z.strictObject({ role: z.enum(Role) });

/**
 * Changes a member's role, at once in all of their sessions. Their invitations are revoked when the new role may not
 * invite. Returns the changed member.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE when the shop would have no owner
 */
export async function changeMemberRole(
  em: EntityManager,
  shopId: string,
  author: Author,
  staffId: string,
  request: z.input<typeof changeMemberRoleSchema>,
): Promise<Membership> {
  const { role } = parseInput(changeMemberRoleSchema, request);
  return em.transactional(async (transaction) => {
    const member = await lockMember(transaction, shopId, staffId);
    if (!member) throw new AppError("NOT_FOUND", "Member not found");
    if (member.role === role) return member;
    await requireAnotherOwner(transaction, member);
    const target = { id: staffId, name: member.staff.email };
    const details = { from: member.role, to: role };
    member.role = role;
    if (!mayInvite(role)) await revokeInvitationsBy(transaction, shopId, author, staffId);
    await recordAudit(transaction, shopId, author, { action: AuditAction.MEMBER_ROLE_CHANGED, target, details });
    return member;
  });
}
