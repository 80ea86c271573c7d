import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";
import { customerSearchTerm } from "../customers/search-words.ts";
import type { Database } from "../model/tables.ts";
import { foldText } from "../../platform/fold-text.ts";
import { filterOfShop, join, matchOf, searchOf } from "../queries/search.ts";
import { formatOrderNumber, formatReceiptNumber } from "./numbers.ts";

/** The most customers whose orders a search finds, the newest ones. It bounds the cost of a search for a common name. */
const MAX_CUSTOMERS = 1_000;

/** The conditions that an order has this number, this receipt number, or a customer that the words match. */
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
  const [, letter, number] = /^(r?)0*(\d+)$/.exec(join(foldText(search!))) ?? [];
  const orderNumbers = [
    search!.trim(),
    ...(number !== undefined && !letter ? [formatOrderNumber(Number(number))] : []),
  ];
  const receiptNumbers = [search!.trim(), ...(letter ? [formatReceiptNumber(Number(number))] : [])];
  return [
    sql<SqlBool>`(order_number = any(${orderNumbers}) or receipt_number = any(${receiptNumbers}) or customer_id = any(array(${customers})))`,
  ];
}
