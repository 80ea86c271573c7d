import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Kysely } from "kysely";
import { customerSearchWords } from "../../customers/search-words.ts";
import type { Database } from "../../model/tables.ts";
import { productSearchWords } from "../../products/search-words.ts";
import { kysely } from "../../queries/database.ts";

const BATCH = 1_000;

interface Words {
  id: string;
  version: number;
  words: string;
}

type WordsOf = (database: Kysely<Database>, shopId: string, ids: string[]) => Promise<Words[]>;
const tables = { products: wordsOfProducts, customers: wordsOfCustomers } satisfies Record<string, WordsOf>;
type SearchedTable = keyof typeof tables;
export const SEARCHED_TABLES = Object.keys(tables) as SearchedTable[];

/** Computes the search words of an imported shop again, because another release may have other rules. */
export async function rewriteSearchWords(em: EntityManager, shopId: string): Promise<void> {
  for (const table of SEARCHED_TABLES) {
    let after: string | undefined = "";
    while (after !== undefined) after = await rewriteBatch(em, shopId, table, { after });
  }
}

/**
 * SQL: the words were written by release 1.1.0 or earlier, which had the beginnings of Korean words alone, and so not
 * their last letter. A word starts with six letters of the shop's id, and has at most 64 more.
 */
const isOld = sql<boolean>`exists (
  select from unnest(tsvector_to_array(search_words)) word
  where word ~ '[\\uac00-\\ud7a3]{2}$' and length(word) < 70
    and not left(word, 6) || right(word, 1) = any(tsvector_to_array(search_words)))`;

/** Computes the search words of the next records by id, or of old ones among them. Returns the last id, if more follow. */
export async function rewriteBatch(
  em: EntityManager,
  shopId: string,
  table: SearchedTable,
  { after, onlyOld = false }: { after: string; onlyOld?: boolean },
): Promise<string | undefined> {
  const database = kysely(em);
  const page = await database
    .selectFrom(table)
    .select(["id", (onlyOld ? isOld : sql<boolean>`true`).as("isWanted")])
    .where("shop_id", "=", shopId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(BATCH)
    .execute();
  const wanted = page.filter(({ isWanted }) => isWanted).map(({ id }) => id);
  if (wanted.length > 0) await write(database, shopId, table, await tables[table](database, shopId, wanted));
  return page.length === BATCH ? page.at(-1)!.id : undefined;
}

async function wordsOfProducts(database: Kysely<Database>, shopId: string, ids: string[]): Promise<Words[]> {
  const products = await database
    .selectFrom("products")
    .select(["id", "version", "title", "handle"])
    .where("shop_id", "=", shopId)
    .where("id", "=", sql<string>`any(${ids})`)
    .execute();
  const variants = await database
    .selectFrom("variants")
    .select(["product_id", "sku", "barcode"])
    .where("shop_id", "=", shopId)
    .where("product_id", "=", sql<string>`any(${ids})`)
    .execute();
  const ofProduct = Map.groupBy(variants, (variant) => variant.product_id);
  return products.map(({ id, version, ...product }) => ({
    id,
    version,
    words: productSearchWords({ shopId, ...product }, ofProduct.get(id) ?? []),
  }));
}

async function wordsOfCustomers(database: Kysely<Database>, shopId: string, ids: string[]): Promise<Words[]> {
  const customers = await database
    .selectFrom("customers")
    .select(["id", "version", "email", "first_name as firstName", "last_name as lastName", "phone"])
    .where("shop_id", "=", shopId)
    .where("id", "=", sql<string>`any(${ids})`)
    .execute();
  return customers.map(({ id, version, ...fields }) => ({
    id,
    version,
    words: customerSearchWords({ shopId, ...fields }),
  }));
}

/** Writes the words of records that nobody has changed since they were read. */
async function write(database: Kysely<Database>, shopId: string, table: SearchedTable, rows: Words[]): Promise<void> {
  await database
    .updateTable(table)
    .from(
      sql<Words>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<"given">(
        sql`given (id text, version int, words text)`,
      ),
    )
    .set({ search_words: sql<string>`given.words::tsvector` })
    .where(`${table}.shop_id`, "=", shopId)
    .whereRef(`${table}.id`, "=", "given.id")
    .whereRef(`${table}.version`, "=", "given.version")
    .where(sql<boolean>`search_words is distinct from given.words::tsvector`)
    .execute();
}
