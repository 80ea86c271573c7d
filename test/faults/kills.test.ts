import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { SCOPES } from "../../src/core/model/permissions.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { useCountingReceiver } from "../support/webhooks/counting-receiver.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildProduct, buildShop } from "../support/factories.ts";
import { openAssistant } from "../support/mcp.ts";
import { OwnPostgres, type Crash } from "../support/postgres/own-postgres.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";
import { SELECT_DELIVERIES } from "../support/webhooks/deliveries.ts";

const encryptionKeys = [{ name: "faults", key: randomBytes(32) }];
/** Random faults, a multiple of their kinds. */
const FAULTS = 24;

describe("After kills", function () {
  this.timeout(180_000);
  const postgres = new OwnPostgres();
  const server = useServer({ openDatabase: postgres.open, config: { encryptionKeys } });
  const receiver = useCountingReceiver();
  const { received } = receiver;
  const workers: ServerProcess[] = [];
  let shop: Shop;

  beforeEach(async () => {
    shop = await buildShop(server.em);
    await buildEndpoint(server, shop, receiver.url);
    received.clear();
    receiver.hangs = false;
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });

  function startWorker(): ServerProcess {
    const worker = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    workers.push(worker);
    return worker;
  }

  const cutConnections = () =>
    query(
      server.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
  /** A random fault. Each four in a row differ, so that none is left out by chance. */
  const harms: string[] = [];
  const doHarm = async () => {
    if (harms.length === 0) {
      const kinds = ["worker", "worker", "connections", "worker", "connections", "IMMEDIATE", "worker", "KILLED"];
      harms.push(
        ...kinds
          .map((kind) => ({ kind, at: Math.random() }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ kind }) => kind),
      );
    }
    const harm = harms.pop()!;
    if (harm === "worker") await workers.find(({ isRunning }) => isRunning)?.kill();
    else if (harm === "connections") await cutConnections().catch(() => undefined);
    else {
      await postgres.crash(harm as Crash);
      await wait(Math.random() * 1_000);
      await postgres.start();
    }
    return harm;
  };
  const unfinished = () =>
    query(server.databaseUrl, "select id from delivery_states where shop_id = $1 and status <> 'SUCCEEDED'", [shop.id]);

  it("repeats the attempts of a killed worker", async () => {
    const [first, second] = [startWorker(), startWorker()];
    await Promise.all([first.started(), second.started()]);
    receiver.hangs = true;
    await buildProduct(server.em, shop);
    await eventually(
      () => received.size,
      (count) => count === 1,
    );
    receiver.hangs = false;
    // Whichever holds it: both are killed, and a third takes over.
    const third = startWorker();
    await third.started();
    await Promise.all([first.kill(), second.kill()]);
    await eventually(unfinished, (rows) => rows.length === 0);
    expect([...received.values()]).to.deep.equal([2]);
  });

  it("continues when every database connection is cut", async () => {
    await startWorker().started();
    await buildProduct(server.em, shop);
    await eventually(unfinished, (rows) => rows.length === 0);
    for (const _ of [1, 2, 3]) {
      await cutConnections();
      await eventually(
        () =>
          buildProduct(server.em, shop).then(
            () => true,
            () => false,
          ),
        (isDone) => isDone,
      );
      await eventually(unfinished, (rows) => rows.length === 0);
    }
    expect(workers[0]!.isRunning).to.equal(true);
  });

  it("makes a write of a tool, called until it succeeds, one change", async () => {
    const assistant = await openAssistant(server, await buildKey(server.em, shop, SCOPES));
    for (let count = 1; count <= 20; count += 1) {
      const args = { title: "Mug", price: 1, idempotencyKey: `mug ${count}` };
      const create = async () => assistant.call("createProduct", args).then(Boolean, () => false);
      const cut = wait(Math.random() * 20).then(cutConnections);
      await eventually(create, (isDone) => isDone);
      await cut;
    }
    const products = await query(server.databaseUrl, "select id from products where shop_id = $1", [shop.id]);
    expect(products).to.have.length(20);
  });

  it("accounts for every event after two dozen random faults", async () => {
    const acknowledged = new Set<string>();
    const over = new AbortController();
    const change = async () => {
      while (!over.signal.aborted) {
        // A change that fails was not acknowledged: its event may be there, and is then delivered, or not.
        const product = await buildProduct(server.em, shop).catch(() => undefined);
        if (product) acknowledged.add(product.id);
        await wait(5);
      }
    };
    const changes = [1, 2, 3].map(change);
    const faults: string[] = [];
    while (faults.length < FAULTS) {
      while (workers.filter(({ isRunning }) => isRunning).length < 2) startWorker();
      await wait(500 + Math.random() * 2_500);
      faults.push(await doHarm());
    }
    over.abort();
    await Promise.all(changes);
    while (workers.filter(({ isRunning }) => isRunning).length < 2) startWorker();
    await eventually(unfinished, (rows) => rows.length === 0, 60_000);
    const events = await query<{ id: string; product: string; status: string | null; attempts: number | null }>(
      server.databaseUrl,
      `select events.id, body::json->'data'->>'productId' as product, status, attempts
       from events left join (${SELECT_DELIVERIES}) delivery on event_id = events.id
       where events.shop_id = $1`,
      [shop.id],
    );
    expect(new Set(faults)).to.deep.equal(new Set(["worker", "connections", "IMMEDIATE", "KILLED"]));
    const fallen = workers.filter(({ hasFallen }) => hasFallen).map(({ output }) => output);
    expect(fallen.join("\n"), "workers that nobody killed, and that ended").to.equal("");
    expect(acknowledged.size).to.be.above(FAULTS);
    expect(
      events.filter(({ id }) => !received.has(id)),
      "events that nobody heard of",
    ).to.deep.equal([]);
    expect(
      events.filter(({ status, attempts }) => status !== "SUCCEEDED" || !attempts),
      "events in limbo",
    ).to.deep.equal([]);
    const emitted = new Set(events.map(({ product }) => product));
    expect(
      [...acknowledged].filter((id) => !emitted.has(id)),
      "changes without an event",
    ).to.deep.equal([]);
    console.log(
      `      ${faults.length} faults, ${events.length} events, ${[...received.values()].reduce((a, b) => a + b, 0)} deliveries`,
    );
  });
});
