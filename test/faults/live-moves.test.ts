import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { findFreePort } from "../../src/platform/postgres/embedded-postgres.ts";
import { topicNames } from "../../src/core/model/webhooks/topics.ts";
import { query } from "../support/database.ts";
import { buildEndpoint } from "../support/factories.ts";
import { haproxy, startDoor } from "../support/programs/haproxy.ts";
import { OwnPostgres } from "../support/postgres/own-postgres.ts";
import { runCommand } from "../support/programs/command.ts";
import { programArguments } from "../support/programs/program.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { timesFactor } from "../support/properties/holds.ts";
import { useServer, type TestServer } from "../support/server.ts";
import { RandomChanges } from "../support/shops/random-changes.ts";
import { useCountingReceiver } from "../support/webhooks/counting-receiver.ts";
import { World } from "../support/world.ts";

const encryptionKeys = [{ name: "cells", key: randomBytes(32) }];
const ENCRYPTION_KEYS = encryptionKeys.map(({ name, key }) => `${name}:${key.toString("base64")}`).join();

/** Tables whose rows stay as they are when the shop is opened. */
const TABLES =
  "products variants stock_changes customers orders order_items payments refunds events record_counts api_keys memberships";
const KILLS = timesFactor(1);

describe("Live moves of a shop", function () {
  this.timeout(300_000 + KILLS * 20_000);
  const postgres = new OwnPostgres({ wal_level: "logical" });
  const other = new OwnPostgres({ wal_level: "logical" });
  const from = useServer({ openDatabase: postgres.open, config: { encryptionKeys } });
  const to = useServer({ openDatabase: other.open, config: { encryptionKeys } });
  const receiver = useCountingReceiver();
  const running: ServerProcess[] = [];
  let world: World;
  let target: ConstructorParameters<typeof RandomChanges>[0];
  let changes: RandomChanges;

  const start = async (command: "api" | "worker", { databaseUrl }: TestServer, port = 0) => {
    const started = new ServerProcess({ command, databaseUrl, encryptionKeys, port });
    running.push(started);
    await started.started();
  };

  beforeEach(async () => {
    world = await new World(from).open();
    const records = ["PRODUCTS", "CUSTOMERS", "ORDERS"].flatMap((name) => [`READ_${name}`, `WRITE_${name}`]);
    const { secret: token } = await world.run("createServiceToken", { input: { name: "ERP", permissions: records } });
    await buildEndpoint(from, world.shop, receiver.url, [...topicNames]);
    receiver.received.clear();
    const port = await findFreePort();
    await Promise.all([start("api", from, port), start("worker", from), start("worker", to)]);
    target = { url: `http://127.0.0.1:${port}`, token, shopId: world.shop.id };
    changes = new RandomChanges(target);
  });
  afterEach(async () => {
    await changes.stop();
    await Promise.all(running.splice(0).map((process) => process.stop()));
  });

  const command = (...options: string[]) => [
    "shops",
    "move",
    "--live",
    "--shop",
    world.shop.id,
    "--to",
    to.databaseUrl,
    ...options,
  ];
  const environment = () => ({ DATABASE_URL: from.databaseUrl, ENCRYPTION_KEYS });
  const move = (...options: string[]) => runCommand(command(...options), environment());
  const startMover = () =>
    spawn(process.execPath, programArguments(...command()), { env: { ...process.env, ...environment() } });
  const isOpen = async ({ databaseUrl }: TestServer) => {
    const text = "select closed_at is null as open from shops where id = $1";
    return (await query<{ open: boolean }>(databaseUrl, text, [world.shop.id]))[0]?.open;
  };
  const digests = async ({ databaseUrl }: TestServer) => {
    const digest = (table: string) => `select '${table}' as name, count(*)::int as count,
      md5(string_agg(row::text, '' order by row::text collate "C")) as digest from ${table} row where shop_id = $1`;
    return query(databaseUrl, TABLES.split(" ").map(digest).join(" union all "), [world.shop.id]);
  };
  const unfinished = () =>
    query(to.databaseUrl, "select id from outstanding_deliveries where shop_id = $1", [world.shop.id]);

  async function expectMoved(): Promise<void> {
    expect([await isOpen(from), await isOpen(to)]).to.deep.equal([false, true]);
    await changes.stop();
    expect(await digests(to)).to.deep.equal(await digests(from));
    const text = "select id from products where shop_id = $1";
    const products = await query<{ id: string }>(to.databaseUrl, text, [world.shop.id]);
    expect(products.map(({ id }) => id)).to.include.members(changes.created);
    while ((await unfinished()).length > 0) await wait(100);
    const deliveries = await query<{ id: string }>(
      to.databaseUrl,
      "select event_id as id from deliveries where shop_id = $1",
      [world.shop.id],
    );
    expect([...receiver.received.keys()]).to.have.members(deliveries.map(({ id }) => id));
  }

  it("bring along every confirmed change and send every event, whatever is killed", async () => {
    // The mover, or the PostgreSQL of an end.
    const kinds = [undefined, postgres, other];
    for (let kills = 0; kills < KILLS; kills += 1) {
      const mover = startMover();
      const ended = once(mover, "exit");
      await Promise.race([ended, wait(2_000 + Math.random() * 12_000)]);
      const killed = kinds[kills % kinds.length];
      if (killed) {
        await killed.crash("KILLED");
        await killed.start();
      } else mover.kill("SIGKILL");
      await ended;
    }
    const { code, stderr } = await move();
    expect(code, stderr).to.equal(0);
    await expectMoved();
    const opened = await runCommand(["shops", "open", "--shop", world.shop.id], environment());
    expect(opened.stderr).to.include("The shop has moved to");
  });

  it(`fail no request behind HAProxy${haproxy ? "" : " (skipped: no HAProxy found; HAPROXY names one)"}`, async function () {
    if (!haproxy && process.env.REQUIRE_HAPROXY !== "1") return this.skip();
    const [a, b] = [await findFreePort(), await findFreePort()];
    await Promise.all([start("api", from, a), start("api", to, b)]);
    const door = await startDoor(world.shop.id, { a, b });
    await changes.stop();
    changes = new RandomChanges({ ...target, url: door.url });
    const { code, stderr } = await move("--door", door.socket);
    expect(code, stderr).to.equal(0);
    const before = changes.confirmed;
    while (changes.confirmed < before + 10) await wait(10);
    await changes.stop();
    await door.stop();
    console.log(`     ${/closed for .*/.exec(stderr)?.[0]}, ${changes.confirmed} changes`);
    expect(changes.unavailable).to.deep.equal([]);
    const products = await query<{ id: string }>(to.databaseUrl, "select id from products where shop_id = $1", [
      world.shop.id,
    ]);
    expect(products.map(({ id }) => id)).to.include.members(changes.created);
  });

  it("can be taken back, and say before they start what they lack", async () => {
    const mover = startMover();
    mover.stderr.on("data", (text: Buffer) => text.includes("Copied") && mover.kill("SIGKILL"));
    await once(mover, "exit");
    const { code, stderr } = await move("--undo");
    expect(code, stderr).to.equal(0);
    expect([await isOpen(from), await isOpen(to)]).to.deep.equal([true, undefined]);
    const before = changes.confirmed;
    while (changes.confirmed === before) await wait(10);
    const left = `select (select count(*) from pg_subscription) + (select count(*) from pg_replication_slots)
      + (select count(*) from pg_publication) + (select count(*) from pg_trigger where tgname like 'move%') as count`;
    for (const { databaseUrl } of [from, to]) expect(await query(databaseUrl, left)).to.deep.equal([{ count: "0" }]);
    const refused = await runCommand(
      ["shops", "move", "--live", "--shop", world.shop.id, "--to", from.databaseUrl, "--dry-run"],
      { DATABASE_URL: from.databaseUrl, ENCRYPTION_KEYS: `cells:${randomBytes(32).toString("base64")}` },
    );
    expect(refused.code).to.equal(1);
  });
});
