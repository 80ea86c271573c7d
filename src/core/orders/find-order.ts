import type { EntityManager } from "@mikro-orm/postgresql";
import { findById } from "../queries/find-by-id.ts";
import { kysely } from "../queries/database.ts";
import type { Selection } from "../queries/selection.ts";
import { selectOrder, type OrderRow } from "./list-orders.ts";

/** Finds an order. Undefined when this shop has none with this id. */
export async function findOrder(
  em: EntityManager,
  shopId: string,
  id: string,
  selection: Selection,
): Promise<OrderRow | undefined> {
  return findById(kysely(em), "orders", { shopId, id }, selection.name, () => selectOrder(em, selection));
}
