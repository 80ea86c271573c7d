import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../model/ids.ts";
import { kysely, runStatement } from "../queries/database.ts";
import { orderColumns, type OrderRow } from "./list-orders.ts";

/** The order, or undefined when this shop has none with this id. */
export async function findOrder(
  em: EntityManager,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<OrderRow | undefined> {
  if (!isId(id)) return undefined;
  const statement = `select ${orderColumns(em, fields)} from orders where shop_id = $1 and id = $2`;
  const [order] = await runStatement<OrderRow>(kysely(em), statement, [shopId, id]);
  return order;
}
