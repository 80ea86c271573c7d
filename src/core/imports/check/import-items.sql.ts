// Text, since rows are inserted from JSON: as parameters, they would take ten times as long.
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, query } from "../../queries/database.ts";
import type { RowKey } from "../../queries/row-key.ts";
import type { FileRecord } from "../formats/draft.ts";

const insert = {
  name: "insert import items",
  text: `insert into import_items (shop_id, import_id, number, first_row, last_row, input, problems)
    select $1, $2, number, first_row, last_row, input, problems
    from json_to_recordset($3) as item (number int, first_row int, last_row int, input jsonb, problems jsonb)`,
};

/** Inserts the records of a file after the first `stored`. */
export async function insertItems(
  em: EntityManager,
  { shopId, id }: RowKey,
  stored: number,
  items: readonly FileRecord[],
): Promise<void> {
  const rows = items.map(({ rows: [first, last], input, problems }, index) => {
    const number = stored + index + 1;
    return { number, first_row: first, last_row: last, input, ...(problems.length > 0 && { problems }) };
  });
  await query(kysely(em), insert, [shopId, id, JSON.stringify(rows)]);
}
