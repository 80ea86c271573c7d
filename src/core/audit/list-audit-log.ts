import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Expression, type SqlBool } from "kysely";
import { ArgsType, ID } from "type-graphql";
import { requireItems } from "../validation/bulk.ts";
import { anyOf, columnsOf, conditionsOf, selectFields, shopParameter, type Shown } from "../queries/columns.ts";
import { argumentsOf, nullable } from "../model/fields.ts";
import { pageArguments, type Page } from "../model/page.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { AuditEntry, AuditAction, type AuditDetail } from "../model/shops/audit-entry.entity.ts";
import { TimestampScalar } from "../model/scalars.ts";

@ArgsType()
export class ListAuditLogArgs extends argumentsOf({
  ...pageArguments,
  actions: nullable([AuditAction], "Only entries with these actions. At least one."),
  targetId: nullable(ID, "Only entries about the record with this ID."),
  actorId: nullable(ID, "Only entries of the actor with this ID."),
  search: nullable(
    String,
    "Only entries with each of these words in their action, or in the name or as the ID of their actor or record. Ignores case. Searches the newest 100000 entries, or those before `createdBefore`. At most 8 words and 200 characters.",
  ),
  searchActions: nullable(
    [AuditAction],
    "Also finds entries with these actions, such as those whose labels contain the words. For `search`.",
  ),
  createdSince: nullable(TimestampScalar, "Only entries at or after this time."),
  createdBefore: nullable(TimestampScalar, "Only entries before this time."),
}) {}

/** Lists a shop's audit log, newest first. @throws AppError VALIDATION_FAILED */
export async function listAuditLog(
  em: EntityManager,
  shopId: string,
  { actions, targetId, actorId, search, searchActions, createdSince, createdBefore, ...page }: ListAuditLogArgs,
  selection: Selection,
): Promise<Page<Shown<AuditEntry, "id">>> {
  if (actions) requireItems("actions", actions);
  const conditions = conditionsOf<"audit_entries">(
    ["action", "=", actions && anyOf(actions)],
    ["target_id", "=", targetId],
    ["actor_id", "=", actorId],
    ["created_at", ">=", createdSince],
    ["created_at", "<", createdBefore],
  );
  return readPage(em, {
    ...page,
    shopId,
    table: "audit_entries",
    select: (_, items) => selectFields(columnsOf(em, AuditEntry), items, ["id"]),
    selection,
    conditions: [...conditions, ...searchConditions(search, searchActions ?? [], createdBefore)],
    texts: { targetId, actorId, search },
    total: "counted",
  });
}

/** The number of entries that a search reads, because it has no index and the log grows without end. */
const SEARCHED = 100_000;

function searchConditions(
  search: string | null | undefined,
  actions: AuditAction[],
  before: Date | null | undefined,
): Expression<SqlBool>[] {
  const words = search?.toLowerCase().match(/[^\s#]+/g) ?? [];
  if (words.length === 0) return [];
  const until = before ? sql`and created_at < ${before}` : sql``;
  const oldest = sql`select created_at from audit_entries where shop_id = ${shopParameter} ${until}
    order by created_at desc, id desc limit 1 offset ${sql.lit(SEARCHED - 1)}`;
  const names = sql`lower(concat_ws(' ', replace(action, '_', ' '), actor_name, target_name) collate "und-x-icu")`;
  const hasWords = words.map((word) => sql`(strpos(${names}, ${word}) > 0 or ${word} in (actor_id, target_id))`);
  return [
    sql<SqlBool>`created_at >= coalesce((${oldest}), '-infinity')`,
    sql<SqlBool>`(action = ${anyOf(actions)} or (${sql.join(hasWords, sql` and `)}))`,
  ];
}

export const listDetails = (details: AuditEntry["details"]): AuditDetail[] =>
  Object.entries(details).map(([name, value]) => ({ name, value }));
