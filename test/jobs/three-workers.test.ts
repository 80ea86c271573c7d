import { setTimeout as wait } from "node:timers/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { createApp, type App } from "../../src/app.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { testConfig } from "../support/config.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

/** What waits for the sweep waits half a second on average. Milliseconds. */
const SLOW = 500;

describe("Three workers", function () {
  this.timeout(60_000);
  const encryptionKeys = [{ name: "three", key: Buffer.alloc(32, 3) }];
  const server = useServer({ config: { encryptionKeys } });
  const apps: App[] = [];
  const stops: (() => Promise<void>)[] = [];
  /** Arrivals of each event at each path, by `performance.now()`. */
  const arrivals = new Map<string, number[]>();
  const receiver = createServer((request, response) => {
    const key = `${request.url} ${request.headers["webhook-id"] as string}`;
    arrivals.set(key, [...(arrivals.get(key) ?? []), performance.now()]);
    request.resume().on("end", () => response.writeHead(204).end());
  });
  let url: string;

  beforeEach(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    for (let worker = 0; worker < 3; worker += 1) {
      const app = createApp({ ...testConfig(server.databaseUrl), encryptionKeys }, createLogger("silent"));
      apps.push(app);
      stops.push((await app.startWorker()).stop);
    }
  });

  // Before the database is dropped.
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all(apps.map((app) => app.close()));
    receiver.closeAllConnections();
    receiver.close();
  });

  it("send each event to each endpoint once, and soon, whichever of them is told of it", async () => {
    const shops = await Promise.all([1, 2, 3].map(() => buildShop(server.em)));
    for (const shop of shops) {
      for (const path of ["one", "two"]) await buildEndpoint(server, shop, `${url}/${shop.id}/${path}`);
    }
    const committed = new Map<string, number>();
    for (let change = 0; change < 300; change += 1) {
      const product = await buildProduct(server.em, shops[change % shops.length]!);
      committed.set(product.id, performance.now());
      await wait(10);
    }
    const unfinished = () => query(server.databaseUrl, "select id from delivery_states where status <> 'SUCCEEDED'");
    await eventually(unfinished, (rows) => rows.length === 0);
    const events = await query<{ key: string; product: string }>(
      server.databaseUrl,
      `select '/' || events.shop_id || '/' || path || ' ' || id as key, body::json->'data'->>'productId' as product
      from events cross join unnest('{one,two}'::text[]) path`,
    );
    expect(events).to.have.length(600);
    expect(events.filter(({ key }) => arrivals.get(key)?.length !== 1)).to.deep.equal([]);
    const latencies = events
      .map(({ key, product }) => arrivals.get(key)![0]! - committed.get(product)!)
      .toSorted((one, other) => one - other);
    const at = (part: number) => latencies[Math.floor(latencies.length * part)]!.toFixed(1);
    console.log(`      p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${latencies.at(-1)!.toFixed(1)} ms`);
    expect(latencies.filter((latency) => latency > SLOW)).to.deep.equal([]);
  });
});
