import { newId } from "../model/ids.ts";
import type { Operation, ShopKey } from "../access/operation.ts";
import { databaseTime } from "../queries/database-time.ts";
import { AuditEntry, type AuditAction } from "../model/shops/audit-entry.entity.ts";

/** Details of a change, by name; never a secret. */
export type AuditDetails = Record<string, string>;

/**
 * Adds an audit entry in the transaction of the change. Entries must not contain secrets: more people can read the log,
 * and for longer, than the records.
 */
export async function recordAudit(
  { em, shop, actor }: Operation<ShopKey>,
  entry: { action: AuditAction; target: { id: string; name: string }; details?: AuditDetails; at?: Date },
): Promise<void> {
  await em.insert(AuditEntry, {
    shopId: shop.id,
    id: newId("aud"),
    action: entry.action,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    targetId: entry.target.id,
    targetName: entry.target.name,
    details: entry.details ?? {},
    address: actor.address,
    userAgent: actor.userAgent,
    createdAt: entry.at ?? (await databaseTime(em)),
  });
}
