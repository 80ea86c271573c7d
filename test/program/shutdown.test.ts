import { randomBytes } from "node:crypto";
import { expect } from "chai";
import pg from "pg";
import { createApp } from "../../src/app.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { findFreePort } from "../support/free-port.ts";
import { testConfig } from "../support/config.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop } from "../support/factories.ts";
import { scrape, sumOf } from "../support/telemetry/scrape.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";
import { untilBlocked } from "../support/postgres/lock-waits.ts";

describe("An API that shuts down", () => {
  const encryptionKeys = [{ name: "shutdown", key: randomBytes(32) }];
  const server = useServer({ own: "other processes take jobs from its queue" });

  it("serves for a while, fails its probes, and closes each connection with its answer", async () => {
    const port = await findFreePort();
    const { databaseUrl } = server;
    // It is killed before that.
    const metricsPort = await findFreePort();
    const environment = { SHUTDOWN_DELAY: "60", METRICS_PORT: String(metricsPort) };
    const running = new ServerProcess({ command: "api", databaseUrl, encryptionKeys, port, environment });
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: answer.status, connection: answer.headers.get("connection"), text: await answer.text() };
    };
    try {
      await running.started();
      expect(await ask("/readyz")).to.include({ status: 200, connection: "keep-alive" });
      void running.stop();
      const unready = await eventually(
        () => ask("/readyz"),
        ({ status }) => status !== 200,
      );
      expect(unready).to.deep.equal({
        status: 503,
        connection: "close",
        text: '{"status":"unavailable","notReady":["process"]}',
      });
      expect(sumOf(await scrape(`http://127.0.0.1:${metricsPort}`), "ready")).to.equal(0);
      for (const path of ["/livez", "/api/v1/openapi.json"]) {
        expect(await ask(path)).to.include({ status: 200, connection: "close" });
      }
    } finally {
      await running.kill();
    }
  });

  it("finishes running requests, and accepts no new ones", async () => {
    const app = createApp(testConfig(server.databaseUrl), createLogger("silent"));
    const api = await app.startApi();
    const url = `http://127.0.0.1:${api.port}`;
    const shop = await buildShop(server.em);
    const headers = { authorization: `Bearer ${await buildKey(server.em, shop)}`, "content-type": "application/json" };
    const other = new pg.Client(server.databaseUrl);
    await other.connect();
    await other.query("begin");
    await other.query("lock table products in share mode");
    const body = JSON.stringify({ title: "Mug", price: 1 });
    const creating = fetch(`${url}/api/v1/${shop.id}/products`, { method: "POST", headers, body });
    await untilBlocked(server.databaseUrl);
    const stopping = api.stop();
    // Requests are taken until the delay, of no time here, is over: a moment.
    await eventually(
      () =>
        fetch(`${url}/livez`).then(
          (answer) => answer.text(),
          () => "gone",
        ),
      (answer) => answer === "gone",
    );
    await other.query("rollback");
    await other.end();
    expect((await creating).status).to.equal(201);
    await stopping;
    await app.close();
  });
});
