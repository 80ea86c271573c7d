import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { tellAccount, toldActions } from "../../notifications/mail-jobs.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { Membership, type Staff } from "../../model/staff/staff.entity.ts";

/**
 * Tells each shop of an account what was done to it, in its audit log and in the transaction of it, and answers the
 * memberships. All are told the same, which names no other shop. Of a second factor the owner hears too, by mail: the browser
 * that changed it may be a thief's.
 */
export async function tellShops(
  em: EntityManager,
  author: Author,
  { id, email }: Pick<Staff, "id" | "email">,
  action: AuditAction,
  { details, at }: { details?: AuditDetails; at?: Date } = {},
): Promise<Membership[]> {
  const memberships = await em.find(Membership, { staff: id }, { disableIdentityMap: true });
  const entry = { action, target: { id, name: email }, details, at: at ?? (await databaseTime(em)) };
  for (const { shopId } of memberships) await recordAudit({ em, shop: { id: shopId }, author }, entry);
  const change = toldActions.find((told) => told === action);
  if (change) await tellAccount(em, id, change);
  return memberships;
}
