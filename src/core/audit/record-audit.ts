import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../platform/ids.ts";
import type { Caller } from "../access/caller.ts";
import { databaseTime } from "../queries/database-time.ts";
import { AuditEntry, type AuditAction } from "./audit-entry.entity.ts";

/**
 * Writes down who did what, in the transaction of what was done. Nothing secret goes in: the log is read by
 * more people, and for longer, than what it tells of.
 */
export async function recordAudit(
  em: EntityManager,
  shopId: string,
  caller: Caller,
  entry: { action: AuditAction; target: { id: string; name: string }; details?: Record<string, string> },
): Promise<void> {
  await em.insert(AuditEntry, {
    shopId,
    id: newId("aud"),
    action: entry.action,
    actorKind: caller.kind,
    actorId: caller.id,
    actorName: caller.name,
    targetId: entry.target.id,
    targetName: entry.target.name,
    details: entry.details ?? {},
    address: caller.address,
    userAgent: caller.userAgent,
    createdAt: await databaseTime(em),
  });
}
