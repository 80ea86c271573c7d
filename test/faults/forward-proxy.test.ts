import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { findFreePort } from "../support/free-port.ts";
import { query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { startTinyproxy, tinyproxy } from "../support/programs/tinyproxy.ts";
import { useServer } from "../support/server.ts";
import { scrape, sumOf } from "../support/telemetry/scrape.ts";
import { createAuthority } from "../support/webhooks/certificates.ts";
import { SELECT_DELIVERIES } from "../support/webhooks/deliveries.ts";

const encryptionKeys = [{ name: "proxy", key: randomBytes(32) }];
const PASSWORD = "hunter2hunter2";
const note = tinyproxy ? "" : " (skipped: no tinyproxy found; TINYPROXY names one)";

describe(`Webhooks through a forward proxy${note}`, function () {
  this.timeout(120_000);
  // Before the server's hooks, because the worker uses its database.
  after(async () => {
    await worker?.stop();
    await proxy?.stop();
    receiver?.close();
  });
  const server = useServer({ config: { encryptionKeys } });
  const authority = createAuthority();
  let receiver: Server;
  let proxy: Awaited<ReturnType<typeof startTinyproxy>> | undefined;
  let worker: ServerProcess | undefined;
  let ports: { proxy: number; metrics: number };
  let shop: Shop;

  before(async function () {
    if (!tinyproxy) {
      if (process.env.REQUIRE_TINYPROXY === "1") throw new Error("No tinyproxy: install it, or name it with TINYPROXY");
      this.skip();
    }
    receiver = createServer(authority.issue("localhost"), (_, response) => void response.writeHead(204).end());
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    ports = { proxy: await findFreePort(), metrics: await findFreePort() };
    shop = await buildShop(server.em);
    await buildEndpoint(server, shop, `https://localhost:${receiverPort()}/`);
  });

  const receiverPort = () => (receiver.address() as AddressInfo).port;

  async function startWorker(password: string): Promise<void> {
    const authorities = join(await makeDirectory(), "authorities.pem");
    await writeFile(authorities, authority.cert);
    worker = new ServerProcess({
      command: "worker",
      databaseUrl: server.databaseUrl,
      encryptionKeys,
      environment: {
        WEBHOOKS_PROXY: `http://merchant:${password}@127.0.0.1:${ports.proxy}`,
        WEBHOOKS_CA: authorities,
        METRICS_PORT: String(ports.metrics),
      },
    });
    await worker.started();
  }

  const states = () =>
    query<{ status: string; attempts: number }>(server.databaseUrl, `${SELECT_DELIVERIES} order by id`, [shop.id]);
  const untilPaused = (reason: string) =>
    eventually(
      () => worker!.output,
      (output) => output.includes("webhook delivery paused") && output.includes(reason),
      30_000,
    );
  const untilDelivered = () => eventually(states, (rows) => rows.every(({ status }) => status === "SUCCEEDED"), 30_000);

  it("reach a receiver with a certificate of a private authority", async () => {
    proxy = await startTinyproxy(ports.proxy, `merchant ${PASSWORD}`);
    await startWorker(PASSWORD);
    await buildProduct(server.em, shop);
    expect(await untilDelivered()).to.have.length(1);
    await eventually(proxy.output, (output) => output.includes(`CONNECT 127.0.0.1:${receiverPort()} HTTP/1.1`));
  });

  it("wait while the proxy is down, and blame no receiver", async () => {
    await proxy!.stop();
    await buildProduct(server.em, shop);
    expect(await untilPaused("(ECONNREFUSED)")).not.to.include(PASSWORD);
    expect((await states())[1]).to.include({ status: "PENDING", attempts: 0 });
    const samples = await scrape(`http://127.0.0.1:${ports.metrics}`);
    expect(sumOf(samples, "webhook_pauses_total")).to.be.at.least(1);
    proxy = await startTinyproxy(ports.proxy, `merchant ${PASSWORD}`);
    expect((await untilDelivered())[1]).to.include({ attempts: 1 });
  });

  it("wait while it refuses the password", async () => {
    await worker!.stop();
    await startWorker("wrongwrong");
    await buildProduct(server.em, shop);
    expect(await untilPaused("refused the user and password")).not.to.include("wrongwrong");
    expect((await states())[2]).to.include({ status: "PENDING", attempts: 0 });
  });
});
