import type { Kysely } from "kysely";
import { isId } from "../model/ids.ts";
import type { Database } from "../model/tables.ts";
import type { Select } from "./columns.ts";
import { prepared } from "./database.ts";
import type { ListedTable } from "./list-query.ts";
import type { RowKey } from "./row-key.ts";

/**
 * Finds a record by its id. Undefined when the shop has none.
 *
 * @param name of the query, if its selection is fixed
 */
export async function findById<Row>(
  database: Kysely<Database>,
  table: ListedTable,
  { shopId, id }: RowKey,
  name: string | undefined,
  select: () => Select<Row>,
): Promise<Row | undefined> {
  if (!isId(id)) return undefined;
  const build = () =>
    database
      .selectFrom(table)
      .select(select() as Select<Record<string, unknown>>)
      .where("shop_id", "=", shopId)
      .where("id", "=", id)
      .$castTo<Row>();
  return (await prepared(database, name, build, [shopId, id]))[0];
}
