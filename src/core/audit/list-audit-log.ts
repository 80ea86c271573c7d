import type { EntityManager } from "@mikro-orm/postgresql";
import { checkCount } from "../bulk/bulk.ts";
import { columnsOf, selectList } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import type { Page, PageRequest } from "../model/page.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import { AuditEntry, type AuditAction } from "../model/shops/audit-entry.entity.ts";

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
  fields: PageFields,
): Promise<Page<AuditEntry>> {
  if (actions) checkCount("actions", actions);
  const conditions = conditionsOf([
    ["action = any(?)", actions],
    ["target_id = ?", targetId],
    ["actor_id = ?", actorId],
    ["created_at >= ?", createdSince],
    ["created_at < ?", createdBefore],
  ]);
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "audit_entries",
    columns: selectList(columnsOf(em, AuditEntry), fields.item, ["id"]),
    fields: fields.page,
    conditions,
    texts: { targetId, actorId },
    total: "counted",
  });
}
