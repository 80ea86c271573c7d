import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { Staff } from "../../src/core/staff/accounts/staff.entity.ts";
import { PreparingClient } from "../../src/platform/postgres/preparing-driver.ts";
import { useServer } from "../support/server.ts";
import { useStatementLog } from "../support/statements.ts";

const FIND = "select note from notes where shop = $1 and id = $2";
/** Somewhat longer than plans are kept. Milliseconds. */
const A_WHILE = 3_100;

describe("A connection that prepares statements", () => {
  const server = useServer();
  let client: PreparingClient;

  beforeEach(async () => {
    const options = "-c plan_cache_mode=force_generic_plan";
    client = new PreparingClient({ connectionString: server.databaseUrl, options });
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
});

describe("Statements of the entity manager", () => {
  const server = useServer();
  const log = useStatementLog();

  it("hold none of the values that they are about", async () => {
    const { result, statements } = await log.during(() =>
      server.em.transactional(async (em) => {
        const account = { id: "stf_1", email: "kim@example.com", passwordHash: "hash", createdAt: new Date() };
        await em.insert(Staff, account);
        const staff = await em.findOneOrFail(Staff, { passwordHash: "hash" });
        staff.passwordHash = "another hash";
        await em.flush();
        await em.nativeUpdate(Staff, { passwordHash: "another hash" }, { passwordHash: "a third hash" });
        return em.nativeDelete(Staff, { passwordHash: "a third hash" });
      }),
    );
    expect(result).to.equal(1);
    expect(statements.map((statement) => statement.split(" ")[0])).to.deep.equal([
      "begin",
      "insert",
      "select",
      "update",
      "update",
      "delete",
      "commit",
    ]);
    expect(statements.filter((statement) => statement.includes("'"))).to.deep.equal([]);
  });
});
