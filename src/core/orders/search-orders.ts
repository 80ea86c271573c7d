import { sql, type Expression, type Kysely, type SqlBool } from "kysely";
import { customerSearchParts } from "../customers/search-text.ts";
import type { Database } from "../model/tables.ts";
import { searchConditions } from "../queries/search.ts";

/** The most customers whose orders a search finds, the newest ones. It bounds the cost of a search for a common name. */
const MAX_CUSTOMERS = 1_000;

/** The conditions that an order has this number, this receipt number, or a customer whom the words describe. */
export function orderSearchConditions(
  database: Kysely<Database>,
  shopId: string,
  search: string | null | undefined,
): Expression<SqlBool>[] {
  const text = (search ?? "").trim();
  if (text === "") return [];
  const customers = database
    .selectFrom("customers")
    .select("id")
    .where("shop_id", "=", shopId)
    .where((builder) => builder.and(searchConditions(text, customerSearchParts)))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(MAX_CUSTOMERS);
  const orderNumber = text.replace(/^#/, "");
  return [
    sql<SqlBool>`(order_number = ${orderNumber} or receipt_number = ${text.toUpperCase()} or customer_id = any(array(${customers})))`,
  ];
}
