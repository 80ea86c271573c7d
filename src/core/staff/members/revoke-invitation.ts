import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../../ids.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { Invitation } from "./invitation.entity.ts";

/** Takes an invitation back. False when the shop has none by the id. */
export async function revokeInvitation(
  em: EntityManager,
  shopId: string,
  author: Author,
  id: string,
): Promise<boolean> {
  if (!isId(id)) return false;
  return em.transactional(async (transaction) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const invitation = await transaction.findOne(Invitation, { shopId, id }, { lockMode });
    if (!invitation) return false;
    transaction.remove(invitation);
    const target = { id, name: invitation.email };
    await recordAudit(transaction, shopId, author, { action: AuditAction.INVITATION_REVOKED, target });
    return true;
  });
}
