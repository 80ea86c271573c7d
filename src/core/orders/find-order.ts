import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../model/ids.ts";
import { kysely, prepared } from "../queries/database.ts";
import type { Selection } from "../queries/selection.ts";
import { selectOrder, type OrderRow } from "./list-orders.ts";

/** The order, or undefined when this shop has none with this id. */
export async function findOrder(
  em: EntityManager,
  shopId: string,
  id: string,
  selection: Selection,
): Promise<OrderRow | undefined> {
  if (!isId(id)) return undefined;
  const database = kysely(em);
  const build = () => {
    const query = database.selectFrom("orders").select(selectOrder(em, selection));
    return query.where("shop_id", "=", shopId).where("id", "=", id);
  };
  return (await prepared(database, selection.name, build, [shopId, id]))[0];
}
