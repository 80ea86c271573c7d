import { sql, type Kysely } from "kysely";
import type { StoreCreditEntry } from "../../model/customers/customer.entity.ts";
import type { Database } from "../../model/tables.ts";
import { groupByRequest, type RowKey } from "../../queries/row-key.ts";

/** A customer and the maximum number of entries. */
interface StoreCreditEntriesKey extends RowKey {
  limit: number;
}

/** An entry of the ledger, as read. */
export type StoreCreditEntryRow = Omit<StoreCreditEntry, "customer">;

/** Loads the newest entries of customers of one shop, up to each limit. */
export async function loadStoreCreditEntries(
  database: Kysely<Database>,
  customers: readonly StoreCreditEntriesKey[],
): Promise<StoreCreditEntryRow[][]> {
  const requested = sql<{ id: string; most: number; position: string }>`
    unnest(${customers.map(({ id }) => id)}::text[], ${customers.map(({ limit }) => limit)}::int[]) with ordinality`;
  const rows = await database
    .selectFrom(requested.as<"requested">(sql`requested (id, most, position)`))
    .crossJoinLateral((from) =>
      from
        .selectFrom("store_credit_entries")
        .select(["shop_id as shopId", "id", "amount", "reason", "order_id as orderId"])
        .select(["actor_id as actorId", "created_at as createdAt"])
        .where("shop_id", "=", customers[0]!.shopId)
        .whereRef("customer_id", "=", "requested.id")
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(from.ref("requested.most"))
        .as("entries"),
    )
    .selectAll("entries")
    .select("requested.position")
    .orderBy("requested.position")
    .orderBy("entries.createdAt", "desc")
    .orderBy("entries.id", "desc")
    .execute();
  return groupByRequest(customers, rows);
}
