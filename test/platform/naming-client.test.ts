import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { CUSTOM_PLAN, NamingClient } from "../../src/platform/postgres/naming-client.ts";
import { useServer } from "../support/server.ts";

const FIND = "select note from notes where shop = $1 and id = $2";
/** Somewhat longer than plans are kept. Milliseconds. */
const A_WHILE = 3_100;

describe("A connection that names statements", () => {
  const server = useServer();
  let client: NamingClient;

  beforeEach(async () => {
    const options = "-c plan_cache_mode=force_generic_plan";
    client = new NamingClient({ connectionString: server.databaseUrl, options });
    await client.connect();
    await client.query(
      "create temp table notes (shop text, id text, note text, rest char(1000), primary key (shop, id))",
    );
    // As good as the other for the few rows that PostgreSQL expects, and newer.
    await client.query("create index notes_note on notes (shop, note)");
    await client.query("insert into notes values ('one', '1', 'first')");
  });

  afterEach(() => client.end());

  const find = () => client.query(FIND, ["one", "1"]);

  async function indexUsed(): Promise<string | undefined> {
    const { rows: named } = await client.query(`select name from pg_prepared_statements where statement = '${FIND}'`);
    const { rows } = await client.query(`explain execute "${named[0].name}" ('one', '1')`);
    return /Index Scan using (\w+)/.exec(rows[0]["QUERY PLAN"])?.[1];
  }

  it("does not go on with a plan from when the table was small", async () => {
    await find();
    await client.query("insert into notes select 'one', n::text, n::text, n::text from generate_series(2, 5000) n");
    expect(await indexUsed()).to.equal("notes_note");
    await wait(A_WHILE);
    expect((await find()).rows).to.deep.equal([{ note: "first" }]);
    expect(await indexUsed()).to.equal("notes_pkey");
  });

  it("is as well as before when that is refused in a transaction that has failed", async () => {
    await find();
    await client.query("begin");
    await client.query("select 1 / 0").catch(() => undefined);
    await wait(A_WHILE);
    expect(await find().catch((error: Error) => error.message)).to.include("current transaction is aborted");
    await client.query("rollback");
    expect((await find()).rows).to.deep.equal([{ note: "first" }]);
  });

  it("names none whose plan depends on its values", async () => {
    await client.query(`${CUSTOM_PLAN}${FIND}`, ["one", "1"]);
    const { rows } = await client.query("select from pg_prepared_statements");
    expect(rows).to.have.length(0);
  });
});
