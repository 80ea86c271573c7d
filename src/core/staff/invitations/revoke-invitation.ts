import { LockMode } from "@mikro-orm/postgresql";
import { isId } from "../../model/ids.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";

const lockMode = LockMode.PESSIMISTIC_WRITE;

/** Revokes an invitation. Returns false when the shop has none with this id. */
export async function revokeInvitation(operation: Operation<ShopKey>, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const invitation = await em.findOne(Invitation, { shopId: shop.id, id }, { lockMode });
    if (!invitation) return false;
    await revoke(inside, invitation);
    return true;
  });
}

/** Revokes a member's invitations to a shop, in the transaction in which they lose the right to invite. */
export async function revokeInvitationsBy(operation: Operation<ShopKey>, invitedBy: string): Promise<void> {
  const { em, shop } = operation;
  const invitations = await em.find(Invitation, { shopId: shop.id, invitedBy }, { lockMode });
  for (const invitation of invitations) await revoke(operation, invitation);
}

async function revoke(operation: Operation<ShopKey>, { shopId, id, email }: Invitation): Promise<void> {
  await operation.em.nativeDelete(Invitation, { shopId, id });
  const target = { id, name: email };
  await recordAudit(operation, { action: AuditAction.INVITATION_REVOKED, target });
}
