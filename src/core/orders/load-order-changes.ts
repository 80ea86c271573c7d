import type { Kysely } from "kysely";
import { Field, ObjectType } from "type-graphql";
import { listDetails } from "../audit/list-audit-log.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { AuditAction, AuditDetail } from "../model/shops/audit-entry.entity.ts";
import type { Database } from "../model/tables.ts";
import { idIn, type RowKey } from "../queries/row-key.ts";

@ObjectType({ description: "A change to an order by staff or a service.", simpleResolvers: true })
export class OrderChange {
  @Field(() => AuditAction, { description: "The kind of change." })
  action!: AuditAction;

  @Field(() => String, {
    nullable: true,
    description: "The email address of the staff member, or the name of the service, at that time.",
  })
  actorName!: string | null;

  @Field(() => [AuditDetail], { description: "Details of the change." })
  details!: AuditDetail[];

  @Field(() => TimestampScalar, { description: "When the order was changed." })
  createdAt!: Date;
}

/** The changes to each order by the audit log, oldest first. All orders are of one shop. */
export async function loadOrderChanges(
  database: Kysely<Database>,
  orders: readonly RowKey[],
): Promise<OrderChange[][]> {
  const rows = await database
    .selectFrom("audit_entries")
    .select(["target_id as orderId", "action", "actor_name as actorName", "details", "created_at as createdAt"])
    .where("shop_id", "=", orders[0]!.shopId)
    .where("target_id", "=", idIn(orders))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const groups = Map.groupBy(rows, ({ orderId }) => orderId);
  return orders.map(({ id }) =>
    (groups.get(id) ?? []).map(({ details, ...row }) => ({ ...row, details: listDetails(details) })),
  );
}
