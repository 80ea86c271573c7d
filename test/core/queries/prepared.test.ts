import { expect } from "chai";
import { sql } from "kysely";
import pg from "pg";
import { kysely, prepared } from "../../../src/core/queries/database.ts";
import { readDueDeliveries } from "../../../src/jobs/sending/read-due-deliveries.sql.ts";
import { call } from "../../support/client.ts";
import { query } from "../../support/database.ts";
import { buildEndpoint, buildKey, buildShop } from "../../support/factories.ts";
import { useStatementLog } from "../../support/postgres/statements.ts";
import { useServer } from "../../support/server.ts";

describe("A prepared query", () => {
  const server = useServer();

  it("is built once, for the values of each call", async () => {
    let built = 0;
    const echo = async (text: string) => {
      const rows = await prepared(kysely(server.em), "an echo", { other: "b", text }, ({ text: given, other }) => {
        built += 1;
        return kysely(server.em).selectNoFrom([
          sql<string>`${given}::text`.as("text"),
          sql`${other}::text`.as("other"),
        ]);
      });
      return rows[0]!.text;
    };
    expect([await echo("first"), await echo("second"), built]).to.deep.equal(["first", "second", 1]);
  });

  it("holds no value of a single call", async () => {
    const secret = "of one shop";
    const work = prepared(kysely(server.em), "a leak", { id: "1" }, () =>
      kysely(server.em).selectNoFrom(sql`${secret}::text`.as("text")),
    );
    const error = await work.catch((cause: unknown) => cause);
    expect(error).to.have.property("message", 'The query "a leak" has a parameter that is not among its values');
  });

  it("leaves no value out", async () => {
    const work = prepared(kysely(server.em), "a gap", { id: "1", vendor: "Nordwind" }, ({ id }) =>
      kysely(server.em).selectNoFrom(sql`${id}::text`.as("id")),
    );
    const error = await work.catch((cause: unknown) => cause);
    expect(error).to.have.property("message", 'The query "a gap" does not use vendor');
  });
});

describe("A frequent statement", () => {
  const server = useServer({ own: "counts plans, which depend on the rows of all shops" });
  const log = useStatementLog();

  /** Repeats a read of a table on one connection. Returns how often it was planned for one call alone. */
  async function countPlans(table: string, work: () => Promise<unknown>): Promise<number> {
    const { sent, names } = await log.during(work);
    const index = sent.findIndex(({ text }) => new RegExp(`from "?${table}\\b`).test(text));
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    try {
      for (let run = 0; run < 20; run += 1) await client.query({ ...sent[index]!, name: names[index] });
      const { rows } = await client.query("select custom_plans::int as plans from pg_prepared_statements");
      return rows[0].plans;
    } finally {
      await client.end();
    }
  }

  it("is planned for all calls: a list, however short", async () => {
    const shop = await buildShop(server.em);
    const key = await buildKey(server.em, shop);
    await query(
      server.databaseUrl,
      `insert into products (shop_id, id, title, handle, status, search_words, created_at, updated_at)
      select $1::text, 'prod_' || left(md5($1 || number), 26), number, number, 'ACTIVE', '', now(), now() from generate_series(1, 500) number`,
      [shop.id],
    );
    await query(server.databaseUrl, "analyze products");
    const list = () => call(server, "GET", `/${shop.id}/products?limit=2`, { key });
    expect(await countPlans("products", list)).to.equal(5);
  });

  it("is planned for all calls: the due deliveries of one endpoint", async () => {
    const shop = await buildShop(server.em);
    for (let count = 0; count < 10; count += 1) await buildEndpoint(server, shop, `https://127.0.0.1/${count}`);
    await query(server.databaseUrl, "analyze webhook_endpoints");
    const request = { shopId: shop.id, endpointId: "we_1", places: 20, except: [] };
    const read = () => readDueDeliveries(kysely(server.em), shop.id, [request]);
    expect(await countPlans("outstanding_deliveries", read)).to.equal(5);
  });
});
