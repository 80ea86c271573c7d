import type { Kysely } from "kysely";
import type { Database } from "./database.ts";

/** The exact number of a shop's records, from the maintained counts: its cost does not grow with the table. */
export async function countRecords(
  database: Kysely<Database>,
  shopId: string,
  resource: Database["record_counts"]["resource"],
  status?: string,
): Promise<number> {
  const row = await database
    .selectFrom("record_counts")
    .select((eb) => eb.fn.sum("count").as("total"))
    .where("shop_id", "=", shopId)
    .where("resource", "=", resource)
    .$if(status !== undefined, (query) => query.where("status", "=", status!))
    .executeTakeFirstOrThrow();
  return Number(row.total ?? 0);
}
