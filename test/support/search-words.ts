import { query } from "./database.ts";

/** The words that find the shop's only record, or the record with this id, without their beginning that names the shop. */
export async function searchWordsOf(
  databaseUrl: string,
  table: "products" | "customers",
  shopId: string,
  id?: string,
): Promise<string[]> {
  const rows = await query<{ word: string }>(
    databaseUrl,
    `select substr(word, 7) as word from ${table}, unnest(tsvector_to_array(search_words)) as word
    where shop_id = $1 and id = coalesce($2, id)`,
    [shopId, id],
  );
  return rows.map(({ word }) => word).toSorted();
}
