import { randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { Shop } from "../../src/core/shops/shop.entity.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";
import { WorkerProcess } from "../support/worker-process.ts";

const encryptionKeys = [{ name: "faults", key: randomBytes(32) }];
/** How long the random faults go on. Seconds. */
const FAULT_SECONDS = 60;

describe("When things are killed", function () {
  this.timeout(180_000);
  const server = useServer({ config: { encryptionKeys } });
  const received = new Map<string, number>();
  let hang = false;
  const hanging: ServerResponse[] = [];
  const receiver = createServer((request, response) => {
    const id = request.headers["webhook-id"] as string;
    request.resume().on("end", () => {
      received.set(id, (received.get(id) ?? 0) + 1);
      if (hang) hanging.push(response);
      else response.writeHead(204).end();
    });
  });
  const workers: WorkerProcess[] = [];
  let shop: Shop;

  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  });

  beforeEach(async () => {
    shop = await buildShop(server.em);
    await buildEndpoint(server, shop, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
    received.clear();
    hang = false;
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });

  after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  function startWorker(): WorkerProcess {
    const worker = new WorkerProcess({ databaseUrl: server.databaseUrl, encryptionKeys });
    workers.push(worker);
    return worker;
  }

  const cutConnections = () =>
    query(
      server.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
  const unfinished = () =>
    query(server.databaseUrl, "select id from deliveries where shop_id = $1 and status <> 'SUCCEEDED'", [shop.id]);

  it("attempts again within five seconds what a killed worker was attempting", async () => {
    const [first, second] = [startWorker(), startWorker()];
    await Promise.all([first.started(), second.started()]);
    hang = true;
    await buildProduct(server.em, shop);
    await eventually(
      () => received.size,
      (count) => count === 1,
    );
    hang = false;
    const [lease] = await query<{ leased_by: number }>(server.databaseUrl, "select leased_by from deliveries");
    const [holder] = await query<{ client_port: number; pid: number }>(
      server.databaseUrl,
      "select pid from pg_locks where locktype = 'advisory' and objid = $1",
      [lease!.leased_by],
    );
    expect(holder).to.be.an("object");
    // Whichever holds it: both are killed, and a third takes over.
    const third = startWorker();
    await third.started();
    const killedAt = performance.now();
    await Promise.all([first.kill(), second.kill()]);
    await eventually(unfinished, (rows) => rows.length === 0, 5_000);
    expect(performance.now() - killedAt).to.be.below(5_000);
    expect([...received.values()]).to.deep.equal([2]);
  });

  it("goes on by itself within five seconds when every connection to the database is cut", async () => {
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
      await eventually(unfinished, (rows) => rows.length === 0, 5_000);
    }
    expect(workers[0]!.isRunning).to.equal(true);
  });

  it(`accounts for every event after a minute of random faults`, async () => {
    const acknowledged = new Set<string>();
    const over = new AbortController();
    const change = async () => {
      while (!over.signal.aborted) {
        // What fails was not acknowledged: the event may be there or not, and then it is delivered.
        const product = await buildProduct(server.em, shop).catch(() => undefined);
        if (product) acknowledged.add(product.id);
        await wait(5);
      }
    };
    const changes = [1, 2, 3].map(change);
    const end = performance.now() + FAULT_SECONDS * 1_000;
    let faults = 0;
    while (performance.now() < end) {
      while (workers.filter(({ isRunning }) => isRunning).length < 2) startWorker();
      await wait(500 + Math.random() * 2_500);
      faults += 1;
      if (Math.random() < 0.3) await cutConnections().catch(() => undefined);
      else await workers.find(({ isRunning }) => isRunning)?.kill();
    }
    over.abort();
    await Promise.all(changes);
    while (workers.filter(({ isRunning }) => isRunning).length < 2) startWorker();
    await eventually(unfinished, (rows) => rows.length === 0, 60_000);
    const events = await query<{ id: string; product: string; status: string | null }>(
      server.databaseUrl,
      `select events.id, body::json->'data'->>'productId' as product, status
       from events left join deliveries on deliveries.shop_id = events.shop_id and event_id = events.id
       where events.shop_id = $1`,
      [shop.id],
    );
    expect(faults).to.be.above(10);
    expect(acknowledged.size).to.be.above(1_000);
    expect(
      events.filter(({ id }) => !received.has(id)),
      "events that nobody heard of",
    ).to.deep.equal([]);
    expect(
      events.filter(({ status }) => status !== "SUCCEEDED"),
      "events in limbo",
    ).to.deep.equal([]);
    const told = new Set(events.map(({ product }) => product));
    expect(
      [...acknowledged].filter((id) => !told.has(id)),
      "changes without an event",
    ).to.deep.equal([]);
    const [orphans] = await query<{ count: number }>(
      server.databaseUrl,
      "select count(*)::int as count from deliveries where leased_by is not null",
    );
    expect(orphans!.count).to.equal(0);
    console.log(
      `      ${faults} faults, ${events.length} events, ${[...received.values()].reduce((a, b) => a + b, 0)} deliveries`,
    );
  });
});
