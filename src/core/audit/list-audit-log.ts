import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import type { Page, PageRequest } from "../queries/pagination.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import { AuditEntry, type AuditAction } from "./audit-entry.entity.ts";

export interface ListAuditLogFilter extends PageRequest {
  action?: AuditAction | null;
  targetId?: string | null;
  actorId?: string | null;
  /** Inclusive. */
  createdSince?: Date | null;
}

/** The log of what was done in a shop, newest first. @throws AppError VALIDATION_FAILED */
export function listAuditLog(
  em: EntityManager,
  shopId: string,
  { action, targetId, actorId, createdSince, ...page }: ListAuditLogFilter,
  fields: PageFields,
): Promise<Page<AuditEntry>> {
  const conditions = conditionsOf([
    ["action = ?", action],
    ["target_id = ?", targetId],
    ["actor_id = ?", actorId],
    ["created_at >= ?", createdSince],
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
