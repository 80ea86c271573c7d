import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { findFreePort } from "../support/free-port.ts";
import { useCountingReceiver } from "../support/webhooks/counting-receiver.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildProduct, buildShop } from "../support/factories.ts";
import { OwnPostgres, type Crash } from "../support/postgres/own-postgres.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";

const encryptionKeys = [{ name: "restart", key: randomBytes(32) }];

describe("When PostgreSQL is restarted", function () {
  this.timeout(120_000);
  const postgres = new OwnPostgres();
  const server = useServer({ openDatabase: postgres.open, config: { encryptionKeys } });
  const receiver = useCountingReceiver();
  let running: ServerProcess;
  let shop: Shop;
  /** The events of earlier restarts. */
  const heardOf = new Set<string>();

  beforeEach(async () => {
    receiver.hangs = false;
    receiver.received.clear();
    shop = await buildShop(server.em);
    await buildEndpoint(server, shop, receiver.url);
  });

  afterEach(() => running.stop());

  const deliveries = () =>
    query<{ event_id: string; status: string }>(
      server.databaseUrl,
      "select event_id, status from delivery_states where shop_id = $1",
      [shop.id],
    );
  /** Returns whether the request succeeds this time. */
  const succeeds = (work: () => Promise<unknown>) => () =>
    work().then(
      () => true,
      () => false,
    );
  const hasArrived = (rows: { status: string }[]) => rows.every(({ status }) => status === "SUCCEEDED");

  /** A delivery is running when the server crashes, and another follows afterward. Both arrive. */
  async function restart(crash: Crash, create: () => Promise<unknown>, meanwhile?: () => Promise<void>): Promise<void> {
    receiver.hangs = true;
    receiver.received.clear();
    await create();
    await eventually(
      () => receiver.received.size,
      (count) => count === 1,
    );
    await postgres.crash(crash);
    await meanwhile?.();
    receiver.hangs = false;
    await postgres.start();
    receiver.answer();
    // The pool in this process, or the other's, may hold connections that it does not know to be broken.
    await eventually(succeeds(create), (isDone) => isDone);
    const rows = await eventually(deliveries, hasArrived);
    expect(rows.filter(({ event_id: id }) => !heardOf.has(id) && !receiver.received.has(id))).to.deep.equal([]);
    for (const { event_id: id } of rows) heardOf.add(id);
    expect(running.hasFallen, running.output).to.equal(false);
  }

  it("a worker continues", async () => {
    running = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    await running.started();
    for (const crash of ["IMMEDIATE", "KILLED", "IMMEDIATE"] as const) {
      await restart(crash, () => buildProduct(server.em, shop));
    }
  });

  it("an attempt that ends meanwhile is recorded afterward", async () => {
    running = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    await running.started();
    await restart(
      "IMMEDIATE",
      () => buildProduct(server.em, shop),
      async () => receiver.answer(),
    );
    const attempts = await query(server.databaseUrl, "select delivery_id from delivery_attempts where shop_id = $1", [
      shop.id,
    ]);
    expect(new Set(attempts.map(({ delivery_id: id }) => id)).size).to.equal(2);
  });

  it("the server answers 503 meanwhile, and then serves and delivers", async () => {
    const port = await findFreePort();
    const key = await buildKey(server.em, shop);
    running = new ServerProcess({ command: "serve", databaseUrl: server.databaseUrl, encryptionKeys, port });
    await running.started();
    const post = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${shop.id}/products`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ title: "Restarted", price: 1 }),
      });
      return response.status;
    };
    const create = async () => expect(await post()).to.equal(201);
    for (const crash of ["IMMEDIATE", "KILLED"] as const) {
      await restart(crash, create, async () => {
        expect(await post()).to.equal(503);
      });
    }
  });

  it("a busy worker loses nothing and continues, however often", async () => {
    running = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    await running.started();
    const over = new AbortController();
    const changes = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) await buildProduct(server.em, shop).catch(() => undefined);
    });
    for (let round = 0; round < 5; round += 1) {
      await eventually(deliveries, (rows) => rows.length > (round + 1) * 100);
      await postgres.crash("IMMEDIATE");
      await postgres.start();
    }
    over.abort();
    await Promise.all(changes);
    await eventually(deliveries, hasArrived, 60_000);
    expect(running.hasFallen, running.output).to.equal(false);
  });

  it("a worker that cannot record finished jobs runs jobs again", async () => {
    running = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    await running.started();
    // Remains of workers before it: it would wait for each of these.
    await query(server.databaseUrl, "delete from graphile_worker._private_jobs");
    const hold = `
      create function wait_long() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return old; end $$;
      create trigger done_slowly before delete on graphile_worker._private_jobs
      for each row execute function wait_long()`;
    await query(server.databaseUrl, hold);
    await buildProduct(server.em, shop);
    const ending = () =>
      query(
        server.databaseUrl,
        "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
      );
    await eventually(ending, (rows) => rows.length > 0);
    await postgres.crash("IMMEDIATE");
    await postgres.start();
    await query(server.databaseUrl, "drop function wait_long cascade");
    await eventually(
      succeeds(() => buildProduct(server.em, shop)),
      (isDone) => isDone,
    );
    await eventually(deliveries, hasArrived);
    expect(running.hasFallen, running.output).to.equal(false);
    // The one that it could not write down stays locked; nothing else waits.
    const waiting = () => query(server.databaseUrl, "select 1 from graphile_worker.jobs where locked_at is null");
    await eventually(waiting, (rows) => rows.length === 0);
  });

  it("a worker stops when asked to, and the next one finishes its unrecorded work", async () => {
    running = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    await running.started();
    receiver.hangs = true;
    await buildProduct(server.em, shop);
    await eventually(
      () => receiver.received.size,
      (count) => count === 1,
    );
    await postgres.crash("IMMEDIATE");
    receiver.answer();
    await running.stop();
    receiver.hangs = false;
    await postgres.start();
    running = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    await running.started();
    await eventually(succeeds(deliveries), (isDone) => isDone);
    await eventually(deliveries, hasArrived);
  });

  it("a starting worker waits", async () => {
    await postgres.crash("IMMEDIATE");
    running = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    await wait(3_000);
    expect(running.hasFallen, running.output).to.equal(false);
    await postgres.start();
    await running.started();
    await eventually(
      succeeds(() => buildProduct(server.em, shop)),
      (isDone) => isDone,
    );
    await eventually(deliveries, hasArrived);
  });
});
