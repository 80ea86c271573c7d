import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";

const encryptionKeys = [{ name: "stopped", key: randomBytes(32) }];
/** Longer than an attempt may take. Milliseconds. */
const LONG = 12_000;

describe("A worker paused by a signal", function () {
  this.timeout(90_000);
  const server = useServer({ config: { encryptionKeys } });
  const receiver = useReceiver();
  const workers: ServerProcess[] = [];
  let shop: Shop;

  beforeEach(async () => {
    shop = await buildShop(server.em);
    await buildEndpoint(server, shop, receiver.url);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  });

  async function startWorker(): Promise<ServerProcess> {
    const worker = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    workers.push(worker);
    await worker.started();
    return worker;
  }
  const unfinished = () =>
    query(server.databaseUrl, "select id from delivery_states where shop_id = $1 and status <> 'SUCCEEDED'", [shop.id]);
  const failures = () =>
    query(server.databaseUrl, "select * from delivery_attempts where shop_id = $1 and error_class is not null", [
      shop.id,
    ]);
  /** Settles when the worker has attempts under way, which are answered after it is stopped. */
  async function stopAmidst(worker: ServerProcess, changes: number): Promise<void> {
    const answer = receiver.hold();
    for (let change = 0; change < changes; change += 1) await buildProduct(server.em, shop);
    await eventually(
      () => receiver.received.length,
      (count) => count === changes,
    );
    worker.suspend();
    answer();
  }

  it("loses its endpoints to another worker", async () => {
    const stopped = await startWorker();
    await stopAmidst(stopped, 3);
    await startWorker();
    await buildProduct(server.em, shop);
    await eventually(unfinished, (rows) => rows.length === 0, 15_000);
    stopped.resume();
    await wait(2_000);
    expect(await failures()).to.deep.equal([]);
  });

  it("counts responses that arrived during the pause, and blames no receiver", async () => {
    const stopped = await startWorker();
    await stopAmidst(stopped, 15);
    await wait(LONG);
    stopped.resume();
    await eventually(unfinished, (rows) => rows.length === 0, 20_000);
    expect(await failures()).to.deep.equal([]);
    const [endpoint] = await query<{ consecutive_failures: number }>(
      server.databaseUrl,
      "select consecutive_failures from webhook_endpoints where shop_id = $1",
      [shop.id],
    );
    expect(endpoint!.consecutive_failures).to.equal(0);
  });
});
