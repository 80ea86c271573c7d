import { randomBytes } from "node:crypto";
import { expect } from "chai";
import pg from "pg";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { fillShop } from "../../src/core/sandboxes/sample/fill-shop.ts";
import { findFreePort } from "../support/free-port.ts";
import { useCountingReceiver } from "../support/webhooks/counting-receiver.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildShop } from "../support/factories.ts";
import { migrateFurther } from "../support/releases/fixtures.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";
import { lockWaits } from "../support/postgres/lock-waits.ts";

describe("An upgrade of a filled database in use by the previous release", function () {
  this.timeout(180_000);
  const encryptionKeys = [{ name: "upgrade", key: randomBytes(32) }];
  const server = useServer({ config: { encryptionKeys } });
  const receiver = useCountingReceiver();
  const over = new AbortController();
  const refusals: string[] = [];
  let answers = 0;
  let shop: Shop;
  let key: string;
  let url: string;
  let running: ServerProcess;
  let clients: Promise<void>[];

  beforeEach(async () => {
    shop = await buildShop(server.em);
    await fillShop(server.em.fork(), shop, { products: 150, customers: 2_000, orders: 5_000 });
    await buildEndpoint(server, shop, receiver.url);
    key = await buildKey(server.em, shop);
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}/api/v1/${shop.id}`;
    running = new ServerProcess({ command: "serve", databaseUrl: server.databaseUrl, encryptionKeys, port });
    await running.started();
    clients = [1, 2, 3].map(useShop);
  });

  // Before the database is dropped.
  afterEach(async () => {
    over.abort();
    await running.stop();
  });

  async function useShop(): Promise<void> {
    while (!over.signal.aborted) {
      await send("GET", "/products?search=mug");
      await send("POST", "/products", { title: "Made meanwhile", price: 1 });
      await send("GET", "/orders");
    }
  }

  async function send(method: string, path: string, body?: object): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (answer.ok) answers += 1;
    else refusals.push(`${method} ${path}: ${answer.status} ${text}`);
  }

  async function answersGoOn(): Promise<void> {
    const before = answers;
    await eventually(
      () => answers,
      (count) => count > before + 30,
    );
  }

  /** Does what `pg_dump` does, for as long as it takes. */
  async function lockProducts(): Promise<pg.Client> {
    const backup = new pg.Client(server.databaseUrl);
    await backup.connect();
    await backup.query("begin");
    await backup.query("lock table products in access share mode");
    return backup;
  }

  const isWaiting = async () => (await lockWaits(server.databaseUrl, "alter table products%")) > 0;

  const unsent = () =>
    query(server.databaseUrl, "select 1 from delivery_states where shop_id = $1 and status <> 'SUCCEEDED'", [shop.id]);

  it("fails no request, even while a backup holds locks", async () => {
    await answersGoOn();
    const backup = await lockProducts();
    const upgrade = migrateFurther(server.databaseUrl);
    try {
      for (const _ of [1, 2]) {
        await Promise.race([upgrade, eventually(isWaiting, (waits) => waits)]);
        await answersGoOn();
        await eventually(isWaiting, (waits) => !waits);
      }
    } finally {
      await backup.end();
    }
    await upgrade;
    const valid = "select 1 from pg_index where indexrelid = 'products_probe'::regclass and indisvalid";
    expect(await query(server.databaseUrl, valid)).to.have.length(1);
    await answersGoOn();
    over.abort();
    await Promise.all(clients);
    expect(refusals).to.deep.equal([]);
    await eventually(unsent, (rows) => rows.length === 0);
    expect((await fetch(new URL("/readyz", url))).status).to.equal(200);
    expect(running.hasFallen, running.output).to.equal(false);
  });
});
