import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { createApp, type App } from "../../src/app.ts";
import { databaseTime } from "../../src/core/queries/database-time.ts";
import { startWorker } from "../../src/jobs/worker.ts";
import { DatabaseClock } from "../../src/platform/postgres/database-clock.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";
import { testConfig } from "../support/config.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

/** So long that the sweep for lost deliveries never runs. Milliseconds. */
const NEVER = 3_600_000;

describe("Three workers", function () {
  this.timeout(60_000);
  const encryptionKeys = [{ name: "three", key: randomBytes(32) }];
  const server = useServer({ config: { encryptionKeys } });
  const apps: App[] = [];
  const stops: (() => Promise<void>)[] = [];
  /** The number of times that each event came to each path. */
  const arrivals = new Map<string, number>();
  const receiver = createServer((request, response) => {
    const key = `${request.url} ${request.headers["webhook-id"] as string}`;
    arrivals.set(key, (arrivals.get(key) ?? 0) + 1);
    request.resume().on("end", () => response.writeHead(204).end());
  });
  let url: string;

  beforeEach(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    for (let worker = 0; worker < 3; worker += 1) {
      const logger = createLogger("silent");
      const app = createApp({ ...testConfig(server.databaseUrl), encryptionKeys }, logger);
      apps.push(app);
      const clock = new DatabaseClock({ ask: () => databaseTime(app.core.orm.em), logger });
      const options = {
        url: server.databaseUrl,
        clock,
        logger,
        metrics: new Metrics(),
        egress: {},
        pollInterval: NEVER,
      };
      stops.push((await startWorker(app.core, options)).stop);
    }
  });

  // Before the database is dropped.
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all(apps.map((app) => app.close()));
    receiver.closeAllConnections();
    receiver.close();
  });

  it("send each event to each endpoint once", async () => {
    const shops = await Promise.all([1, 2, 3].map(() => buildShop(server.em)));
    for (const shop of shops) {
      for (const path of ["one", "two"]) await buildEndpoint(server, shop, `${url}/${shop.id}/${path}`);
    }
    for (let change = 0; change < 300; change += 1) {
      await buildProduct(server.em, shops[change % shops.length]!);
      // At first each change waits for its delivery, so that no later one wakes a worker for it.
      if (change < 60) {
        await eventually(
          () => arrivals.size,
          (count) => count === 2 * (change + 1),
        );
      }
    }
    const unfinished = () => query(server.databaseUrl, "select id from delivery_states where status <> 'SUCCEEDED'");
    await eventually(unfinished, (rows) => rows.length === 0);
    const events = await query<{ key: string }>(
      server.databaseUrl,
      `select '/' || events.shop_id || '/' || path || ' ' || id as key
      from events cross join unnest('{one,two}'::text[]) path`,
    );
    expect(events).to.have.length(600);
    expect(events.filter(({ key }) => arrivals.get(key) !== 1)).to.deep.equal([]);
  });
});
