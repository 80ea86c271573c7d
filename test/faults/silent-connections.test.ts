import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { findFreePort } from "../support/free-port.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildProduct, buildShop } from "../support/factories.ts";
import { useFaultyProxy } from "../support/postgres/faulty-proxy.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";

const encryptionKeys = [{ name: "silent", key: randomBytes(32) }];

describe("Connections to PostgreSQL that go silent", function () {
  this.timeout(90_000);
  const server = useServer({ config: { encryptionKeys } });
  const receiver = useReceiver();
  const proxy = useFaultyProxy(() => server.databaseUrl);
  const processes: ServerProcess[] = [];

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
  });

  async function start(command: "worker" | "api", ports: { healthPort?: number; port?: number }): Promise<void> {
    const databaseUrl = proxy.through(server.databaseUrl);
    const process = new ServerProcess({ command, databaseUrl, encryptionKeys, ...ports });
    processes.push(process);
    await process.started();
  }
  const status = async (url: string, headers = {}) => (await fetch(url, { headers })).status;

  it("are replaced by a worker, which is not ready meanwhile", async () => {
    const healthPort = await findFreePort();
    const shop = await buildShop(server.em);
    await buildEndpoint(server, shop, receiver.url);
    await start("worker", { healthPort });
    const sent = () =>
      query(server.databaseUrl, "select id from delivery_states where shop_id = $1 and status = 'SUCCEEDED'", [
        shop.id,
      ]);
    await buildProduct(server.em, shop);
    await eventually(sent, (rows) => rows.length === 1);
    const ready = () => status(`http://127.0.0.1:${healthPort}/readyz`);
    expect(await ready()).to.equal(200);
    proxy.goSilent();
    await buildProduct(server.em, shop);
    await eventually(ready, (code) => code === 503, 5_000);
    await eventually(sent, (rows) => rows.length === 2, 20_000);
    await eventually(ready, (code) => code === 200, 15_000);
  });

  it("are replaced by an API", async () => {
    const port = await findFreePort();
    const shop = await buildShop(server.em);
    const key = await buildKey(server.em, shop);
    await start("api", { port });
    const read = () =>
      status(`http://127.0.0.1:${port}/api/v1/${shop.id}/products`, { authorization: `Bearer ${key}` });
    // Several connections.
    expect(new Set(await Promise.all(Array.from({ length: 20 }, read)))).to.deep.equal(new Set([200]));
    // Idle for longer than the time after which a silent statement fails.
    await wait(8_000);
    proxy.goSilent();
    // The lost connections fail together, so one request meets them all.
    expect(await read()).to.equal(503);
    expect(await read()).to.equal(200);
  });
});
