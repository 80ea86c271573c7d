import type { EntityManager } from "@mikro-orm/postgresql";
import { checkCount } from "../bulk/bulk.ts";
import { anyOf, columnsOf, conditionsOf, selectFields, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import type { Page, PageRequest } from "../model/page.ts";
import { readPage } from "../queries/list-query.ts";
import type { Selection } from "../queries/selection.ts";
import { AuditEntry, type AuditAction, type AuditDetail } from "../model/shops/audit-entry.entity.ts";

export interface ListAuditLogFilter extends PageRequest {
  /** Matches any of these. */
  actions?: readonly AuditAction[] | null;
  targetId?: string | null;
  actorId?: string | null;
  /** Inclusive. */
  createdSince?: Date | null;
  /** Exclusive. */
  createdBefore?: Date | null;
}

/** Lists a shop's audit log, newest first. @throws AppError VALIDATION_FAILED */
export async function listAuditLog(
  em: EntityManager,
  shopId: string,
  { actions, targetId, actorId, createdSince, createdBefore, ...page }: ListAuditLogFilter,
  selection: Selection,
): Promise<Page<Shown<AuditEntry, "id">>> {
  if (actions) checkCount("actions", actions);
  const conditions = conditionsOf<"audit_entries">(
    ["action", "=", actions && anyOf(actions)],
    ["target_id", "=", targetId],
    ["actor_id", "=", actorId],
    ["created_at", ">=", createdSince],
    ["created_at", "<", createdBefore],
  );
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "audit_entries",
    select: selectFields(columnsOf(em, AuditEntry), selection.at("items"), ["id"]),
    selection,
    conditions,
    texts: { targetId, actorId },
    total: "counted",
  });
}

export const listDetails = (details: AuditEntry["details"]): AuditDetail[] =>
  Object.entries(details).map(([name, value]) => ({ name, value }));
