import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { idIn, type RowKey } from "../queries/row-key.ts";

/** Loads the store credit balance of customers of one shop: the sum of the ledger. */
export async function loadStoreCreditBalances(
  database: Kysely<Database>,
  customers: readonly RowKey[],
): Promise<string[]> {
  const rows = await database
    .selectFrom("store_credit_entries")
    .select(["customer_id", (eb) => eb.fn.sum<string>("amount").as("balance")])
    .where("shop_id", "=", customers[0]!.shopId)
    .where("customer_id", "=", idIn(customers))
    .groupBy("customer_id")
    .execute();
  const balances = new Map(rows.map((row) => [row.customer_id, row.balance]));
  return customers.map((customer) => balances.get(customer.id) ?? "0");
}

/** Counts the orders of customers of one shop. */
export async function loadCustomerOrderCounts(
  database: Kysely<Database>,
  customers: readonly RowKey[],
): Promise<number[]> {
  const rows = await database
    .selectFrom("orders")
    .select(["customer_id", (eb) => eb.fn.countAll<string>().as("orders")])
    .where("shop_id", "=", customers[0]!.shopId)
    .where("customer_id", "=", idIn(customers))
    .groupBy("customer_id")
    .execute();
  const counts = new Map(rows.map((row) => [row.customer_id, Number(row.orders)]));
  return customers.map((customer) => counts.get(customer.id) ?? 0);
}
