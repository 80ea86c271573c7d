import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../../platform/ids.ts";
import type { Caller } from "../caller.ts";
import { AuditAction } from "../credentials/audit-entry.entity.ts";
import { recordAudit } from "../credentials/record-audit.ts";
import { projections, runStatement } from "../database.ts";

/** Takes an invitation back. False when the shop has none by the id. */
export async function revokeInvitation(
  em: EntityManager,
  shopId: string,
  caller: Caller,
  id: string,
): Promise<boolean> {
  if (!isId(id)) return false;
  return em.transactional(async (transaction) => {
    const text = "delete from invitations where shop_id = $1 and id = $2 returning email";
    const [revoked] = await runStatement<{ email: string }>(projections(transaction), text, [shopId, id]);
    if (!revoked) return false;
    const target = { id, name: revoked.email };
    await recordAudit(transaction, shopId, caller, { action: AuditAction.INVITATION_REVOKED, target });
    return true;
  });
}
