import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../model/ids.ts";
import type { Select, Selector } from "./columns.ts";
import { kysely, prepared } from "./database.ts";
import type { ListedTable } from "./list-query.ts";
import type { Selection } from "./selection.ts";

/** Makes the function that finds a record by its id. It returns undefined when the shop has none. */
export function finderOf<Row>(
  table: ListedTable,
  select: Selector<Row>,
): (em: EntityManager, shopId: string, id: string, selection: Selection) => Promise<Row | undefined> {
  return async (em, shopId, id, selection) => {
    if (!isId(id)) return undefined;
    const [row] = await prepared(kysely(em), selection.name, { shopId, id }, (given) =>
      kysely(em)
        .selectFrom(table)
        .select(select(em, selection) as Select<Record<string, unknown>>)
        .where("shop_id", "=", given.shopId)
        .where("id", "=", given.id)
        .$castTo<Row>(),
    );
    return row;
  };
}
