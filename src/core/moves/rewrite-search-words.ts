import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Kysely } from "kysely";
import { customerSearchWords } from "../customers/search-words.ts";
import type { Database } from "../model/tables.ts";
import { productSearchWords } from "../products/search-words.ts";
import { kysely } from "../queries/database.ts";

const BATCH = 1_000;

interface Words {
  id: string;
  words: string;
}

/** Computes the search words of an imported shop again, because another release may have other rules. */
export async function rewriteSearchWords(em: EntityManager, shopId: string): Promise<void> {
  const database = kysely(em);
  await rewrite(database, "products", shopId, async (after) => {
    const products = await database
      .selectFrom("products")
      .select(["id", "title", "handle"])
      .where("shop_id", "=", shopId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    const ids = products.map(({ id }) => id);
    const variants = await database
      .selectFrom("variants")
      .select(["product_id", "sku", "barcode"])
      .where("shop_id", "=", shopId)
      .where("product_id", "=", sql<string>`any(${ids})`)
      .execute();
    const ofProduct = Map.groupBy(variants, (variant) => variant.product_id);
    return products.map((product) => ({
      id: product.id,
      words: productSearchWords({ shopId, ...product }, ofProduct.get(product.id) ?? []),
    }));
  });
  await rewrite(database, "customers", shopId, async (after) => {
    const customers = await database
      .selectFrom("customers")
      .select(["id", "email", "first_name as firstName", "last_name as lastName", "phone"])
      .where("shop_id", "=", shopId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    return customers.map(({ id, ...fields }) => ({ id, words: customerSearchWords({ shopId, ...fields }) }));
  });
}

async function rewrite(
  database: Kysely<Database>,
  table: "products" | "customers",
  shopId: string,
  read: (after: string) => Promise<Words[]>,
): Promise<void> {
  for (let rows = await read(""); rows.length > 0; rows = await read(rows.at(-1)!.id)) {
    const [ids, words] = [rows.map(({ id }) => id), rows.map((row) => row.words)];
    await database
      .updateTable(table)
      .from(sql<Words>`unnest(${ids}::text[], ${words}::text[])`.as<"given">(sql`given (id, words)`))
      .set({ search_words: sql<string>`given.words::tsvector` })
      .where(`${table}.shop_id`, "=", shopId)
      .whereRef(`${table}.id`, "=", "given.id")
      .where(sql<boolean>`search_words is distinct from given.words::tsvector`)
      .execute();
  }
}
