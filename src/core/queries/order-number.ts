import type { Kysely } from "kysely";
import type { CoreContext } from "../context.ts";
import type { Database } from "../model/tables.ts";
import { loaderOf } from "./loader-of.ts";
import { idIn, type RowKey } from "./row-key.ts";

/** The description of a field with the number of the order that caused a change. */
export const ORDER_NUMBER = "The number of the order. Null if orderId is null.";

/** Loads the number of an order, in one statement for many records. */
export async function orderNumber(context: CoreContext, shopId: string, id: string | null): Promise<string | null> {
  return id === null ? null : loaderOf(context, loadOrderNumbers).load({ shopId, id });
}

async function loadOrderNumbers(database: Kysely<Database>, keys: readonly RowKey[]): Promise<(string | null)[]> {
  const rows = await database
    .selectFrom("orders")
    .select(["id", "order_number as number"])
    .where("shop_id", "=", keys[0]!.shopId)
    .where("id", "=", idIn(keys))
    .execute();
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  return keys.map(({ id }) => numbers.get(id) ?? null);
}
