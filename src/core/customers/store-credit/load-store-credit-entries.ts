import type { Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import { asked, groupAsked, type RowKey } from "../../queries/row-key.ts";
import type { StoreCreditEntry } from "../../model/customers/customer.entity.ts";

/** The newest lines of a customer's store credit ledger, at most `limit` of them. */
interface StoreCreditEntriesKey extends RowKey {
  limit: number;
}

/** The newest entries of each customer, no more than are asked for. All customers are of one shop. */
export async function loadStoreCreditEntries(
  database: Kysely<Database>,
  customers: readonly StoreCreditEntriesKey[],
): Promise<Omit<StoreCreditEntry, "customer">[][]> {
  const most = Math.max(...customers.map(({ limit }) => limit));
  const rows = await database
    .selectFrom(asked(customers))
    .crossJoinLateral((query) =>
      query
        .selectFrom("store_credit_entries")
        .select(["shop_id as shopId", "id", "amount", "reason", "order_id as orderId", "actor_id as actorId"])
        .select("created_at as createdAt")
        .where("shop_id", "=", customers[0]!.shopId)
        .whereRef("customer_id", "=", "asked.id")
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(most)
        .as("entry"),
    )
    .selectAll("entry")
    .select("asked.position")
    .orderBy("entry.createdAt", "desc")
    .orderBy("entry.id", "desc")
    .execute();
  return groupAsked(customers, rows).map((entries, index) => entries.slice(0, customers[index]!.limit));
}
