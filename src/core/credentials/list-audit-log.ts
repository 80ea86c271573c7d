import type { Kysely } from "kysely";
import { isId } from "../../platform/ids.ts";
import { selectList } from "../columns.ts";
import type { Database } from "../database.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { readPage, type Condition, type PageFields } from "../read-page.ts";
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
  const conditions: Condition[] = [];
  if (action) conditions.push({ sql: "action = ?", value: action });
  if (targetId != null) conditions.push({ sql: "target_id = ?", value: findable(targetId) });
  if (actorId != null) conditions.push({ sql: "actor_id = ?", value: findable(actorId) });
  if (createdSince) conditions.push({ sql: "created_at >= ?", value: createdSince });
  return readPage(database, {
    ...page,
    shopId,
    table: "audit_entries",
    columns: selectList(columns, fields.item, ["id"]),
    fields: fields.page,
    conditions,
    total: "counted",
  });
}

/** What cannot be an identifier is in no row, and may be text that PostgreSQL does not take. */
function findable(id: string): string {
  return isId(id) ? id : "";
}
