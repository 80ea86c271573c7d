import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import type { AuditAction } from "../../audit/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { Membership, type Staff } from "./staff.entity.ts";

/** Tells each shop of an account what an operator did to it, in its audit log, and answers the memberships. */
export async function tellShops(
  em: EntityManager,
  author: Author,
  { id, email }: Staff,
  action: AuditAction,
): Promise<Membership[]> {
  const memberships = await em.find(Membership, { staff: id }, { disableIdentityMap: true });
  const entry = { action, target: { id, name: email } };
  for (const { shopId } of memberships) await recordAudit(em, shopId, author, entry);
  return memberships;
}
