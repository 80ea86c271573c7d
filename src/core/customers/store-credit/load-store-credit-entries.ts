import type { Kysely } from "kysely";
import { runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import type { RowKey } from "../../queries/row-key.ts";
import type { StoreCreditEntry } from "../../model/customers/customer.entity.ts";

/** The newest lines of a customer's store credit ledger, at most `limit` of them. */
interface StoreCreditEntriesKey extends RowKey {
  limit: number;
}

/** The newest entries of each customer, no more than are asked for. All customers are of one shop. */
export async function loadStoreCreditEntries(
  database: Kysely<Database>,
  customers: readonly StoreCreditEntriesKey[],
): Promise<StoreCreditEntry[][]> {
  const rows = await runStatement<StoreCreditEntry & { position: string }>(
    database,
    `select asked.position, entries.* from unnest($2::text[], $3::int[]) with ordinality as asked (id, most, position)
    cross join lateral (
      select shop_id as "shopId", id, amount, reason, order_id as "orderId", actor_id as "actorId", created_at as "createdAt"
      from store_credit_entries where shop_id = $1 and customer_id = asked.id
      order by created_at desc, id desc limit asked.most
    ) entries order by asked.position, entries."createdAt" desc, entries.id desc`,
    [customers[0]!.shopId, customers.map(({ id }) => id), customers.map(({ limit }) => limit)],
  );
  const byPosition = Map.groupBy(rows, ({ position }) => Number(position) - 1);
  return customers.map((_, index) => byPosition.get(index) ?? []);
}
