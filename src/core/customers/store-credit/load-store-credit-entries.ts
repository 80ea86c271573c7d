import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Kysely } from "kysely";
import { StoreCreditEntry } from "../../model/customers/customer.entity.ts";
import type { Database } from "../../model/tables.ts";
import { columnsOf, relatedValue, selectFields, type Shown } from "../../queries/columns.ts";
import { fieldsOf, groupByRequest, type FieldsKey } from "../../queries/row-key.ts";

/** A customer and the maximum number of entries. */
interface StoreCreditEntriesKey extends FieldsKey {
  limit: number;
}

const always = ["shopId", "id", "actorId", "createdAt"] as const;
type Always = (typeof always)[number];

/** An entry of the ledger with the selected fields. */
export type ShownStoreCreditEntry = Shown<StoreCreditEntry, Always>;

/** Loads the newest entries of customers of one shop, up to each limit, which a field with an argument sets. */
export async function loadStoreCreditEntries(
  database: Kysely<Database>,
  customers: readonly StoreCreditEntriesKey[],
  em: EntityManager,
): Promise<ShownStoreCreditEntry[][]> {
  const shopId = sql.val(customers[0]!.shopId);
  const orderNumber = relatedValue<string | null>("orders", "order_number", "store_credit_entries.order_id", shopId);
  const columns = { ...columnsOf(em, StoreCreditEntry), orderNumber };
  const requested = sql<{ id: string; most: number; position: string }>`
    unnest(${customers.map(({ id }) => id)}::text[], ${customers.map(({ limit }) => limit)}::int[]) with ordinality`;
  const rows = await database
    .selectFrom(requested.as<"requested">(sql`requested (id, most, position)`))
    .crossJoinLateral((from) =>
      from
        .selectFrom("store_credit_entries")
        .select(selectFields<StoreCreditEntry, Always>(columns, { fields: fieldsOf(customers) }, always))
        .where("shop_id", "=", shopId)
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
