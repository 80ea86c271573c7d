// Text, as the migration that added the column has it.
import type { Kysely } from "kysely";
import { restateOverpaid as textFor } from "../../../migrations/0016-overpaid-orders.ts";
import type { Database } from "../model/tables.ts";
import { query } from "../queries/database.ts";

const text = textFor((table) => ` and ${table}.shop_id = $1`);

/** Computes what the orders of a shop hold beyond their price, which releases to 1.1 did not store. */
export async function restateOverpaid(database: Kysely<Database>, shopId: string): Promise<void> {
  await query(database, { text }, [shopId]);
}
