import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../../model/ids.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";

const lockMode = LockMode.PESSIMISTIC_WRITE;

/** Revokes an invitation. Returns false when the shop has none with this id. */
export async function revokeInvitation(
  em: EntityManager,
  shopId: string,
  author: Author,
  id: string,
): Promise<boolean> {
  if (!isId(id)) return false;
  return em.transactional(async (transaction) => {
    const invitation = await transaction.findOne(Invitation, { shopId, id }, { lockMode });
    if (!invitation) return false;
    await revoke(transaction, author, invitation);
    return true;
  });
}

/** Revokes a member's invitations to a shop, in the transaction in which they lose the right to invite. */
export async function revokeInvitationsBy(
  em: EntityManager,
  shopId: string,
  author: Author,
  invitedBy: string,
): Promise<void> {
  const invitations = await em.find(Invitation, { shopId, invitedBy }, { lockMode });
  for (const invitation of invitations) await revoke(em, author, invitation);
}

async function revoke(em: EntityManager, author: Author, invitation: Invitation): Promise<void> {
  const { shopId, id, email } = invitation;
  await em.nativeDelete(Invitation, { shopId, id });
  const target = { id, name: email };
  await recordAudit(em, shopId, author, { action: AuditAction.INVITATION_REVOKED, target });
}
