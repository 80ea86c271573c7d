import type { EntityManager } from "@mikro-orm/postgresql";
import { ArgsType, Field, ID } from "type-graphql";
import { checkCount } from "../bulk/bulk.ts";
import { anyOf, columnsOf, conditionsOf, selectFields, type Shown } from "../queries/columns.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { AuditEntry, AuditAction, type AuditDetail } from "../model/shops/audit-entry.entity.ts";
import { TimestampScalar } from "../model/scalars.ts";

@ArgsType()
export class ListAuditLogArgs extends PageArgs {
  @Field(() => [AuditAction], { nullable: true, description: "Only entries with these actions. At least one." })
  actions?: AuditAction[] | null;

  @Field(() => ID, { nullable: true, description: "Only entries about the record with this ID." })
  targetId?: string | null;

  @Field(() => ID, { nullable: true, description: "Only entries of the actor with this ID." })
  actorId?: string | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only entries at or after this time." })
  createdSince?: Date | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only entries before this time." })
  createdBefore?: Date | null;
}

/** Lists a shop's audit log, newest first. @throws AppError VALIDATION_FAILED */
export async function listAuditLog(
  em: EntityManager,
  shopId: string,
  { actions, targetId, actorId, createdSince, createdBefore, ...page }: ListAuditLogArgs,
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
  return readPage(em, {
    ...page,
    shopId,
    table: "audit_entries",
    select: (_, items) => selectFields(columnsOf(em, AuditEntry), items, ["id"]),
    selection,
    conditions,
    texts: { targetId, actorId },
    total: "counted",
  });
}

export const listDetails = (details: AuditEntry["details"]): AuditDetail[] =>
  Object.entries(details).map(([name, value]) => ({ name, value }));
