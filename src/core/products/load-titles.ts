import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { idIn, type RowKey } from "../queries/row-key.ts";

/** Loads the current titles of products of one shop. Null for deleted ones. */
export const loadProductTitles = titlesOf("products");

/** Loads the current titles of variants of one shop. Null for deleted ones. */
export const loadVariantTitles = titlesOf("variants");

function titlesOf(table: "products" | "variants") {
  return async (database: Kysely<Database>, records: readonly RowKey[]): Promise<(string | null)[]> => {
    const rows = await database
      .selectFrom(table)
      .select(["id", "title"])
      .where("shop_id", "=", records[0]!.shopId)
      .where("id", "=", idIn(records))
      .execute();
    const titles = new Map(rows.map(({ id, title }) => [id, title]));
    return records.map(({ id }) => titles.get(id) ?? null);
  };
}
