import { sql, type Kysely } from "kysely";
import type { StoreCreditEntry } from "../../model/customers/customer.entity.ts";
import type { Database } from "../../model/tables.ts";
import type { RowKey } from "../../queries/row-key.ts";

/** The newest lines of a customer's store credit ledger, at most `limit` of them. */
interface StoreCreditEntriesKey extends RowKey {
  limit: number;
}

/** A line of the ledger, as it is read. */
export type StoreCreditEntryRow = Omit<StoreCreditEntry, "customer">;

/** The newest entries of each customer, no more than are asked for. All customers are of one shop. */
export async function loadStoreCreditEntries(
  database: Kysely<Database>,
  customers: readonly StoreCreditEntriesKey[],
): Promise<StoreCreditEntryRow[][]> {
  const asked = sql<{ id: string; most: number; position: string }>`
    unnest(${customers.map(({ id }) => id)}::text[], ${customers.map(({ limit }) => limit)}::int[]) with ordinality`;
  const rows = await database
    .selectFrom(asked.as<"asked">(sql`asked (id, most, position)`))
    .crossJoinLateral((from) =>
      from
        .selectFrom("store_credit_entries")
        .select(["shop_id as shopId", "id", "amount", "reason", "order_id as orderId"])
        .select(["actor_id as actorId", "created_at as createdAt"])
        .where("shop_id", "=", customers[0]!.shopId)
        .whereRef("customer_id", "=", "asked.id")
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(from.ref("asked.most"))
        .as("entries"),
    )
    .selectAll("entries")
    .select("asked.position")
    .orderBy("asked.position")
    .orderBy("entries.createdAt", "desc")
    .orderBy("entries.id", "desc")
    .execute();
  const byPosition = Map.groupBy(rows, ({ position }) => Number(position) - 1);
  return customers.map((_, index) => byPosition.get(index) ?? []);
}
