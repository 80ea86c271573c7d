import { resolve } from "node:path";
import { expect } from "chai";
import { kysely, query as send } from "../../../src/core/queries/database.ts";
import { query } from "../database.ts";
import { useStatementLog } from "../postgres/statements.ts";
import { useServer } from "../server.ts";
import { readCatalog } from "./catalog.ts";
import { keys, nameOf } from "./exceptions.ts";
import { findUnboundTables } from "./unbound-tables.ts";
import { isDistributed } from "./unroutable.ts";
import { judge, takeFaults } from "./watch.ts";

/** An exception that one file may send. */
const EACH_SHOP = 'select "id" from "shops" order by "id"';

describe("Watching statements", () => {
  const server = useServer();

  it("reports a statement without its filter, with its source", async () => {
    await send(kysely(server.em), { text: "select title from products where id = $1" }, ["prod_1"]);
    const [fault, ...more] = takeFaults();
    expect(fault).to.match(
      /Nothing binds products to one shop in\nselect title .*\nwith the digest .*\n.*src\/core\/queries\/database\.ts/,
    );
    expect(more).to.deep.equal([]);
  });

  describe("with a log of statements", () => {
    useStatementLog();

    it("reports it too", async () => {
      await send(kysely(server.em), { text: "select handle from products where id = $1" }, ["prod_1"]);
      const [fault, ...more] = takeFaults();
      expect(fault).to.match(/Nothing binds products to one shop in\nselect handle /);
      expect(more).to.deep.equal([]);
    });
  });

  it("reports one in any case", async () => {
    await send(kysely(server.em), { text: "SELECT title FROM PRODUCTS WHERE id = $1" }, ["prod_1"]);
    expect(takeFaults()).to.have.lengthOf(1);
  });

  it("distinguishes a list of one shop from a list of two", async () => {
    const find = "select title from products where (shop_id, id) in (($1, $2), ($3, $4))";
    await send(kysely(server.em), { text: find }, ["shop_1", "prod_1", "shop_1", "prod_2"]);
    expect(takeFaults()).to.deep.equal([]);
    await send(kysely(server.em), { text: find }, ["shop_1", "prod_1", "shop_2", "prod_1"]);
    expect(takeFaults()).to.have.lengthOf(1);
  });

  it("ignores statements of tests", async () => {
    await server.em.execute("select id from products where id = ?", ["prod_1"]);
    expect(takeFaults()).to.deep.equal([]);
  });

  it("reports one with more alternatives than the key", async () => {
    const find = "select from api_keys key join shops on shops.id = key.shop_id where digest = $1";
    await send(kysely(server.em), { text: find }, [Buffer.alloc(0)]);
    expect(takeFaults()).to.deep.equal([]);
    await send(kysely(server.em), { text: `${find} or true` }, [Buffer.alloc(0)]);
    expect(takeFaults()).to.have.lengthOf(1);
  });

  it("reports one that differs from an exception by its filters", () => {
    const from = () => [`at ${resolve("src/jobs/batches.ts")}:10:5`];
    judge(EACH_SHOP, from);
    expect(takeFaults()).to.deep.equal([]);
    judge(`${EACH_SHOP} limit 1`, from);
    expect(takeFaults()).to.have.lengthOf(1);
  });

  it("reports one that is an exception of another file", async () => {
    await send(kysely(server.em), { text: EACH_SHOP }, []);
    const [fault, ...more] = takeFaults();
    expect(fault).to.match(/Nothing binds shops to one shop in\nselect "id"/);
    expect(more).to.deep.equal([]);
  });

  it("accepts only globally unique columns as a key", async () => {
    const unique = await query<{ name: string }>(
      server.databaseUrl,
      `select indrelid::regclass || '.' || attname as name
      from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
      where indisunique and indnkeyatts = 1 and indpred is null and indexprs is null`,
    );
    const ofSandboxes = { name: "shops.sandbox_of" };
    expect([...unique, ofSandboxes].map(({ name }) => name)).to.include.members(keys.map(nameOf));
  });

  it("accepts only keys of tables on the coordinator", () => {
    expect(keys.map(({ table }) => table).filter(isDistributed)).to.deep.equal([]);
  });

  it("knows every table and view with a shop", () => {
    const known = readCatalog();
    expect(known.get("products")).to.include.members(["shop_id", "id", "title"]);
    expect(known.get("delivery_states")).to.include("shop_id");
  });

  it("may treat a view as a table, because its tables belong to one shop", async () => {
    const [view, ...more] = await query<{ text: string }>(
      server.databaseUrl,
      `select pg_get_viewdef(oid) as text from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`,
    );
    expect(more).to.deep.equal([]);
    const text = view!.text.replace(";", "");
    expect(findUnboundTables(text, readCatalog())).to.include("deliveries");
    expect(findUnboundTables(`${text} where deliveries.shop_id = $1`, readCatalog())).to.deep.equal([]);
  });
});
