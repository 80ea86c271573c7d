import { expect } from "chai";
import { sql } from "kysely";
import { customerSearchParts } from "../../../src/core/customers/search-text.ts";
import { productSearchParts } from "../../../src/core/products/search-text.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { searchConditions } from "../../../src/core/queries/search.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { query } from "../../support/database.ts";
import { buildShop } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";

describe("A search", () => {
  const server = useServer();
  let shop: Shop;

  before("fill the tables, so that the index is worth its while", async () => {
    shop = await buildShop(server.em);
    const count = "generate_series(1, 8000) number";
    for (const statement of [
      `insert into customers (shop_id, id, email, first_name, last_name, search_text, created_at, updated_at)
      select $1, number, number || '@example.com', '', '', number || E'@example.com\\n' || md5(number::text), now(), now()
      from ${count}`,
      `insert into products (shop_id, id, title, handle, status, search_text, created_at, updated_at)
      select $1, number, 'Mug', number, 'ACTIVE', number || E'\\n' || md5(number::text), now(), now() from ${count}`,
    ]) {
      await query(server.databaseUrl, statement, [shop.id]);
    }
    await query(server.databaseUrl, "vacuum analyze customers, products");
  });

  async function planOf(
    table: "customers" | "products",
    conditions: ReturnType<typeof searchConditions>,
  ): Promise<string> {
    const { sql: text, parameters } = kysely(server.em)
      .selectFrom(table)
      .select("id")
      .where("shop_id", "=", shop.id)
      .where(({ and }) => and([...conditions]))
      .compile();
    const rows = await query<{ "QUERY PLAN": string }>(server.databaseUrl, `explain ${text}`, [...parameters]);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  for (const [table, search, split] of [
    ["customers", "hopper", customerSearchParts],
    ["customers", "+49 (30) 1234567", customerSearchParts],
    ["products", "mug", productSearchParts],
    ["products", "0036000291452", productSearchParts],
  ] as const) {
    it(`for ${search} finds ${table} with the index alone`, async () => {
      const plan = await planOf(table, searchConditions(search, split));
      const indexes = new Set(plan.match(new RegExp(`(?<= on )${table}_\\w+`, "g")));
      expect([...indexes], plan).to.deep.equal([`${table}_search`]);
      expect(plan).not.to.include("Seq Scan");
    });
  }

  it("has one condition per distinct word", () => {
    const search = "1 a 12345 b 1 a 54321 c 12345 a 1 ".repeat(5);
    for (const split of [customerSearchParts, productSearchParts]) {
      const conditions = searchConditions(search, split);
      expect(conditions.length).to.be.at.most(6);
      const { parameters } = sql.join(conditions).compile(kysely(server.em));
      expect(parameters.length).to.be.at.most(8);
    }
  });
});
