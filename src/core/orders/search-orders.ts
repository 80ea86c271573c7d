import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";
import { customerSearchTerm } from "../customers/search-words.ts";
import type { Database } from "../model/tables.ts";
import { filterOfShop, matchOf, searchOf } from "../queries/search.ts";

/** The most customers whose orders a search finds, the newest ones. It bounds the cost of a search for a common name. */
const MAX_CUSTOMERS = 1_000;

/** The conditions that an order has this number, this receipt number, or a customer whom the words describe. */
export function orderSearchConditions(shopId: string, search: string | null | undefined): Expression<SqlBool>[] {
  const customer = searchOf(shopId, search, customerSearchTerm);
  if (!customer) return [];
  const { selectFrom } = expressionBuilder<Database, "orders">();
  const customers = selectFrom("customers")
    .select("id")
    .where(filterOfShop(sql.val(shopId)))
    .where(matchOf(customer))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(MAX_CUSTOMERS);
  const text = search!.trim();
  const orderNumber = text.replace(/^#/, "");
  return [
    sql<SqlBool>`(order_number = ${orderNumber} or receipt_number = ${text.toUpperCase()} or customer_id = any(array(${customers})))`,
  ];
}
