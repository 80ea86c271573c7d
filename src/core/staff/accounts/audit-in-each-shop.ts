import type { EntityManager } from "@mikro-orm/postgresql";
import type { Actor } from "../../access/actor.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { notifyAccount, mailedActions } from "../../notifications/mail-jobs.sql.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { Membership, type Staff } from "../../model/staff/staff.entity.ts";

/**
 * Adds an audit entry to each shop of an account, in the transaction of the change, and returns the memberships. The
 * entries are equal and name no other shop. Changes of a second factor are also mailed to the owner, because a thief's
 * browser may have made them.
 */
export async function auditInEachShop(
  em: EntityManager,
  actor: Actor,
  { id, email }: Pick<Staff, "id" | "email">,
  action: AuditAction,
  { details, at }: { details?: AuditDetails; at?: Date } = {},
): Promise<Membership[]> {
  const memberships = await em.find(Membership, { staff: id }, { disableIdentityMap: true });
  const entry = { action, target: { id, name: email }, details, at: at ?? (await databaseTime(em)) };
  for (const { shopId } of memberships) await recordAudit({ em, shop: { id: shopId }, actor }, entry);
  const change = mailedActions.find((mailed) => mailed === action);
  if (change) await notifyAccount(em, id, change);
  return memberships;
}
