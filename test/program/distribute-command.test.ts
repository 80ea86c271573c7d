import { expect } from "chai";
import { migrations } from "../../migrations/index.ts";
import { listTables } from "../../src/core/cluster/cluster.sql.ts";
import { kysely } from "../../src/core/queries/database.ts";
import { call } from "../support/client.ts";
import {
  cloneDatabase,
  createEmptyDatabase,
  isCluster,
  onNodes,
  query,
  type TestDatabase,
} from "../support/database.ts";
import { readShopRows } from "../support/postgres/shop-rows.ts";
import { runCommand } from "../support/programs/command.ts";
import { useServer, type TestServer } from "../support/server.ts";
import { buildFullShop, type FullShop } from "../support/shops/full-shop.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";

/** A database that is not distributed, on a cluster or one PostgreSQL. */
async function createMigratedDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  const { code, stderr } = await runCommand(["migrate"], { DATABASE_URL: database.url });
  expect(code, stderr).to.equal(0);
  return database;
}

const names = migrations.map(({ name }) => name);

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
      stderr: `The database lacks graphile-worker 20, ${names.join(", ")}. Run: merchant-api migrate\n`,
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
    expect(await distribute()).to.include({
      code: 0,
      stderr: `› ${stdout.trim().replace(/;$/, "")}\n› The tables are distributed\n`,
    });
    expect(await distribute("--dry-run")).to.include({ stdout: "" });
  });

  it("shows a node's own error, and needs no superuser", async function () {
    if (!(await isCluster())) this.skip();
    database = await createEmptyDatabase();
    const [nodes, name] = [await onNodes(database.url), new URL(database.url).pathname.slice(1)];
    const workers = nodes.slice(1);
    const onEach = async (urls: string[], statement: string) => {
      for (const url of urls) await query(url, `set citus.enable_ddl_propagation to off; ${statement}`);
    };
    const role = `owner_of_${name}`;
    await query(database.url, `create role ${role} login`);
    try {
      await onEach(nodes, `alter database ${name} owner to ${role}`);
      const environment = { DATABASE_URL: Object.assign(new URL(database.url), { username: role }).href };
      expect(await runCommand(["migrate"], environment)).to.include({ code: 0 });
      await onEach(workers, 'revoke execute on function json_build_object(variadic "any") from public');
      const { code, stderr } = await runCommand(["distribute"], environment);
      expect(code).to.equal(1);
      for (const node of workers) {
        expect(stderr).to.include(
          `The coordinator could not read the settings of ${new URL(node).host}: ERROR:  permission denied for function json_build_object`,
        );
      }
      await onEach(workers, 'grant execute on function json_build_object(variadic "any") to public');
      expect(await runCommand(["distribute"], environment)).to.include({ code: 0 });
    } finally {
      await database.drop();
      database = undefined;
      await query(process.env.TEST_DATABASE_URL!, `drop role ${role}`);
    }
  });
});

describe("merchant-api distribute with the rows of a shop", function () {
  this.timeout(120_000);
  const server = useServer({ openDatabase: createMigratedDatabase });
  const receiver = useReceiver();
  let full: FullShop;
  let lists: string[];

  before("build it", async function () {
    if (!(await isCluster())) this.skip();
    // The request log is written when the server stops.
    const api = await server.app.startApi();
    const own = { ...server, url: `http://127.0.0.1:${api.port}` };
    full = await buildFullShop(own, receiver.url);
    lists = await readLists(own);
    await api.stop();
  });

  /** Answers of all lists, with their totals. */
  const readLists = ({ url }: Pick<TestServer, "url">) =>
    Promise.all(
      ["products", "orders", "customers"].map(async (name) => {
        const { status, text } = await call({ url }, "GET", `/${full.shop.id}/${name}?limit=250`, { key: full.key });
        expect(status).to.equal(200);
        return text;
      }),
    );
  const readCounts = () =>
    query(
      server.databaseUrl,
      `select resource, status, sum(count) as count from record_counts group by resource, status
       having sum(count) <> 0 order by resource, status`,
    );

  it("changes no row, total or list", async () => {
    const counts = await readCounts();
    const { record_counts: _, ...rows } = await readShopRows(server, full.shop);
    for (const { name, belongs } of await listTables(kysely(server.em))) {
      if (belongs === "DISTRIBUTED" && name !== "record_counts") expect(rows[name], name).not.to.equal(undefined);
    }
    const { code, stderr } = await runCommand(["distribute"], { DATABASE_URL: server.databaseUrl });
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(/^› select create_distributed_table\('orders'/m);
    const { record_counts: __, ...distributed } = await readShopRows(server, full.shop);
    expect(distributed).to.deep.equal(rows);
    expect(await readCounts()).to.deep.equal(counts);
    expect(await readLists(server)).to.deep.equal(lists);
  });
});
