import { expect } from "chai";
import { sql } from "kysely";
import { customerSearchTerm } from "../../../src/core/customers/search-words.ts";
import { productSearchTerm } from "../../../src/core/products/search-words.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { filterOfShop, matchOf, searchOf, type Search } from "../../../src/core/queries/search.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { query } from "../../support/database.ts";
import { buildShop } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";

describe("A search", () => {
  const server = useServer();
  let known: Shop;
  let unknown: Shop;

  before("fill the tables, so that the index is worth its while", async () => {
    [known, unknown] = [await buildShop(server.em), await buildShop(server.em)];
    await addRecords(known, 8_000);
    await query(server.databaseUrl, "vacuum analyze customers, products");
    await addRecords(unknown, 800);
  });

  async function addRecords({ id }: Shop, most: number): Promise<void> {
    const records = "generate_series(1, $2::int) number";
    const words = "array_to_tsvector(array[right($1, 6) || number, right($1, 6) || md5(number::text)])";
    for (const statement of [
      `insert into customers (shop_id, id, email, first_name, last_name, search_words, created_at, updated_at)
      select $1::text, 'cus_' || lpad(number::text, 26, '0'), number || '@example.com', '', '', ${words}, now(), now() from ${records}`,
      `insert into products (shop_id, id, title, handle, status, search_words, created_at, updated_at)
      select $1::text, 'prod_' || lpad(number::text, 26, '0'), 'Mug', number, 'ACTIVE', ${words}, now(), now() from ${records}`,
    ]) {
      await query(server.databaseUrl, statement, [id, most]);
    }
  }

  async function planOf(table: "customers" | "products", shop: Shop, search: Search): Promise<string> {
    const { sql: text, parameters } = kysely(server.em)
      .selectFrom(table)
      .select("id")
      .where(filterOfShop(sql.val(shop.id)))
      .where(matchOf(search))
      .orderBy("created_at", "desc")
      .limit(1)
      .compile();
    const rows = await query<{ "QUERY PLAN": string }>(server.databaseUrl, `explain ${text}`, [...parameters]);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  for (const [table, search, termOf] of [
    ["customers", "hopper", customerSearchTerm],
    ["customers", "+49 (30) 1234567", customerSearchTerm],
    ["products", "mug", productSearchTerm],
    ["products", "0036000291452", productSearchTerm],
  ] as const) {
    it(`for ${search} finds ${table} with the index alone, also in a shop that statistics do not know`, async () => {
      for (const shop of [known, unknown]) {
        const plan = await planOf(table, shop, searchOf(shop.id, search, termOf)!);
        const indexes = new Set(plan.match(new RegExp(`(?<= on )${table}_\\w+`, "g")));
        expect([...indexes], plan).to.deep.equal([`${table}_search`]);
        expect(plan).not.to.match(/Seq Scan|Index Scan using/);
      }
    });
  }

  it("looks for each distinct word once", () => {
    for (const termOf of [customerSearchTerm, productSearchTerm]) {
      expect(searchOf("shop_1", "one a two b one a two c one a ".repeat(5), termOf)).to.have.length(5);
    }
  });
});
