import { expect } from "chai";
import { cloneDatabase, isCluster, query, type TestDatabase } from "../support/database.ts";
import { runCommand } from "../support/programs/command.ts";

describe("merchant-api distribute", function () {
  this.timeout(120_000);
  let database: TestDatabase | undefined;

  afterEach(async () => {
    await database?.drop();
    database = undefined;
  });

  const distribute = (...options: string[]) => runCommand(["distribute", ...options], { DATABASE_URL: database!.url });

  it("asks for the migrations first", async () => {
    database = await cloneDatabase("template0");
    const { code, stderr } = await distribute();
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: "The database lacks graphile-worker 20, 0001-initial. Run: merchant-api migrate\n",
    });
  });

  it("says what it is for where the server has no Citus", async function () {
    if (await isCluster()) this.skip();
    database = await cloneDatabase();
    const { code, stdout, stderr } = await distribute();
    expect([code, stdout]).to.deep.equal([1, ""]);
    expect(stderr).to.match(
      /^This database is on one PostgreSQL, and does not need this command\.\n.*Citus.*\n.*docs\/scaling\.md/,
    );
  });

  it("leaves nothing to do on a distributed cluster, and distributes a new table alone", async function () {
    if (!(await isCluster())) this.skip();
    database = await cloneDatabase();
    expect(await distribute("--dry-run")).to.include({
      code: 0,
      stdout: "",
      stderr: "› Every table is distributed already\n",
    });
    await query(
      database.url,
      'create table gifts (shop_id text collate "C" not null references shops (id), id text, primary key (shop_id, id))',
    );
    await query(database.url, "insert into gifts select 'shop_1', 'gift_1' where false");
    const { stdout } = await distribute("--dry-run");
    expect(stdout.trim().split("\n")).to.deep.equal([
      "select create_distributed_table('gifts', 'shop_id', colocate_with => 'api_requests');",
    ]);
    expect(await distribute()).to.include({ code: 0, stderr: "› The tables are distributed\n" });
    expect(await distribute("--dry-run")).to.include({ stdout: "" });
  });
});
