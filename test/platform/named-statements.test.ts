import { expect } from "chai";
import { sql, type Kysely } from "kysely";
import type { Database } from "../../src/core/model/tables.ts";
import { kysely, prepared } from "../../src/core/queries/database.ts";
import { call } from "../support/client.ts";
import { buildKey, buildProduct, buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useStatementLog } from "../support/postgres/statements.ts";
import { useServer } from "../support/server.ts";

describe("A statement", () => {
  const server = useServer();
  const log = useStatementLog();

  /** The names of the statements with this text that PostgreSQL keeps on the connection that does the work twice. */
  async function keptAfter(column: string, work: (database: Kysely<Database>) => Promise<unknown>): Promise<string[]> {
    return server.em.transactional(async (em) => {
      for (let time = 0; time < 2; time += 1) await work(kysely(em));
      const { rows } = await sql<{ name: string }>`
        select name from pg_prepared_statements where statement like ${`select "${column}" from%`}`.execute(kysely(em));
      return rows.map(({ name }) => name);
    });
  }

  it("with a name is parsed once", async () => {
    const names = await keptAfter("handle", (database) =>
      prepared(database, "a find", { id: "1" }, (given) =>
        database.selectFrom("products").select("handle").where("shop_id", "=", given.id).where("id", "=", given.id),
      ),
    );
    expect(names).to.deep.equal(["a find"]);
  });

  it("with a name is built once, for the values of each call", async () => {
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

  it("with a name holds no value of a single call", async () => {
    const secret = "of one shop";
    const work = prepared(kysely(server.em), "a leak", { id: "1" }, () =>
      kysely(server.em).selectNoFrom(sql`${secret}::text`.as("text")),
    );
    const error = await work.catch((cause: unknown) => cause);
    expect(error).to.have.property("message", 'The query "a leak" has a parameter that is not among its values');
  });

  it("with a name leaves no value out", async () => {
    const work = prepared(kysely(server.em), "a gap", { id: "1", vendor: "Nordwind" }, ({ id }) =>
      kysely(server.em).selectNoFrom(sql`${id}::text`.as("id")),
    );
    const error = await work.catch((cause: unknown) => cause);
    expect(error).to.have.property("message", 'The query "a gap" does not use vendor');
  });

  it("without a name is not kept", async () => {
    const names = await keptAfter("title", (database) =>
      database.selectFrom("products").select("title").where("shop_id", "=", "one").where("id", "=", "1").execute(),
    );
    expect(names).to.deep.equal([]);
  });

  it("has the name of its field in the v1 API, and none if its text depends on filters", async () => {
    const shop = await buildShop(server.em);
    const { id } = await buildProduct(server.em, shop);
    const key = await buildKey(server.em, shop);
    const read = async (path: string) =>
      (await log.during(() => call(server, "GET", `/${shop.id}${path}`, { key }))).names;
    expect(await read("/products")).to.include("ListProducts products created_at desc");
    expect(await read(`/products/${id}`)).to.deep.equal(["GetProduct product"]);
    expect(await read("/products?status=ACTIVE")).to.deep.equal([undefined]);
  });

  it("has no name if a GraphQL client chose its text, whatever the operation's name", async () => {
    const shop = await buildShop(server.em);
    const session = await logIn(server, await buildStaff(server.em, shop));
    const document = `query GetProduct($shopId: ID!) { shop(id: $shopId) { product(id: "prod_1") { title } products { items { id } } } }`;
    const { names } = await log.during(() => askGraphql(server, document, { shopId: shop.id }, session));
    expect(names.filter((name) => name !== "find session")).to.deep.equal([undefined]);
  });
});
