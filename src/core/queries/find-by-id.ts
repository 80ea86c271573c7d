import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import type { ListedTable } from "../model/tables.ts";
import { anyOf, type Select, type Selector } from "./columns.ts";
import { kysely, readSelected } from "./database.ts";
import type { Selection } from "./selection.ts";

type Find<Row, Key = string> = (
  em: EntityManager,
  shopId: string,
  key: Key,
  selection: Selection,
) => Promise<Row | undefined>;

/** Makes the function that finds a record by its id. It returns undefined when the shop has none. */
export function finderOf<Row>(table: ListedTable, select: Selector<Row>): Find<Row> {
  return async (em, shopId, id, selection) => {
    if (!isId(id)) return undefined;
    const [row] = await readSelected(kysely(em), selection, { variant: "by id", values: { shopId, id } }, (given) =>
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

/** Makes the function that finds records by their ids. */
export function findersOf<Row extends { id: string }>(table: ListedTable, select: Selector<Row>) {
  return async (em: EntityManager, shopId: string, ids: readonly string[], selection: Selection) => {
    const rows = await kysely(em)
      .selectFrom(table)
      .select(select(em, selection) as Select<Record<string, unknown>>)
      .where("shop_id", "=", shopId)
      .where("id", "=", anyOf(ids))
      .$castTo<Row>()
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  };
}

/** Who reads the record that a mutation returns, and the selected fields. */
interface Answered {
  em: EntityManager;
  shop: { id: string };
  selection: Selection;
}

/** Makes the function that reads the record that a mutation returns. It throws NOT_FOUND when the record was deleted since. */
export function answerOf<Row, Key = string>(noun: string, find: Find<Row, Key>) {
  return async ({ em, shop, selection }: Answered, key: Key): Promise<Row> => {
    const row = await find(em, shop.id, key, selection);
    if (!row) throw new AppError("NOT_FOUND", `${noun} not found`);
    return row;
  };
}
