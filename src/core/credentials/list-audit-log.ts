import type { Kysely } from "kysely";
import { selectList } from "../columns.ts";
import type { Database } from "../database.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { conditionsOf, readPage, type PageFields } from "../read-page.ts";
import type { AuditAction, AuditEntry } from "./audit-entry.entity.ts";

export interface ListAuditLogFilter extends PageRequest {
  action?: AuditAction | null;
  targetId?: string | null;
  actorId?: string | null;
  /** Inclusive. */
  createdSince?: Date | null;
}

const columns = {
  id: "id",
  action: "action",
  actorKind: "actor_kind",
  actorId: "actor_id",
  actorName: "actor_name",
  targetId: "target_id",
  targetName: "target_name",
  details: "details",
  address: "address",
  userAgent: "user_agent",
  createdAt: "created_at",
};

/** What was done to a shop's settings, newest first. @throws AppError VALIDATION_FAILED */
export function listAuditLog(
  database: Kysely<Database>,
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
  return readPage(database, {
    ...page,
    shopId,
    table: "audit_entries",
    columns: selectList(columns, fields.item, ["id"]),
    fields: fields.page,
    conditions,
    texts: { targetId, actorId },
    total: "counted",
  });
}
