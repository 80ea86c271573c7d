import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { findFreePort } from "../support/free-port.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";

const HOUR = 3_600_000;
const encryptionKeys = [{ name: "clocks", key: randomBytes(32) }];

/** Seconds between two instants. */
const between = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1_000;

describe("A process with a wrong clock", function () {
  this.timeout(60_000);
  const server = useServer({ config: { encryptionKeys } });
  const processes: ServerProcess[] = [];
  let receiver: Server;
  let status: number;
  let arrivals: { timestamp: number; at: Date }[];
  let shop: Shop;
  let url: string;

  beforeEach(async () => {
    [status, arrivals] = [204, []];
    receiver = createServer((request, response) => {
      const timestamp = Number(request.headers["webhook-timestamp"]);
      arrivals.push({ timestamp, at: new Date() });
      request.resume().on("end", () => response.writeHead(status).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    shop = await buildShop(server.em);
    await buildEndpoint(server, shop, url);
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.stop()));
    receiver.closeAllConnections();
    receiver.close();
  });

  async function start(command: "api" | "worker", clockShift: number): Promise<ServerProcess & { url: string }> {
    const port = await findFreePort();
    const process = new ServerProcess({ command, databaseUrl: server.databaseUrl, encryptionKeys, port, clockShift });
    processes.push(process);
    await process.started();
    return Object.assign(process, { url: `http://127.0.0.1:${port}` });
  }

  async function create(at: { url: string }): Promise<void> {
    const key = await buildKey(server.em, shop);
    const { status: created } = await call(at, "POST", `/${shop.id}/products`, {
      key,
      body: { title: "Mug", price: 1 },
    });
    expect(created).to.equal(201);
  }

  const arrived = (count: number) =>
    eventually(
      () => arrivals.length,
      (length) => length >= count,
    );

  for (const [name, shift] of [
    ["an hour ahead", HOUR],
    ["an hour behind", -HOUR],
  ] as const) {
    it(`delivers immediately, dates responses by PostgreSQL and logs an error when the API is ${name}`, async () => {
      const [api, worker] = await Promise.all([start("api", shift), start("worker", 0)]);
      const { headers } = await call(api, "GET", "/openapi.json");
      expect(Math.abs(between(new Date(headers.get("date")!), new Date()))).to.be.lessThan(60);
      await create(api);
      await arrived(1);
      const [event] = await query<{ age: number }>(
        server.databaseUrl,
        "select extract(epoch from now() - created_at)::float8 as age from events where shop_id = $1",
        [shop.id],
      );
      expect(Math.abs(event!.age)).to.be.lessThan(60);
      await eventually(
        () => api.output,
        (output) => output.includes("clock skew between this machine and PostgreSQL"),
      );
      expect(worker.output).not.to.contain("differ");
    });

    it(`preserves the schedule and signature timestamps when the worker is ${name}`, async () => {
      status = 500;
      const worker = await start("worker", shift);
      await create(server);
      await arrived(1);
      const [first] = arrivals as [(typeof arrivals)[0]];
      expect(Math.abs(first.timestamp - first.at.getTime() / 1_000)).to.be.lessThan(60);
      const deliveries = () =>
        query<{ next_attempt_at: Date; attempted_at: Date; attempts: number; now: Date }>(
          server.databaseUrl,
          "select *, now() as now from outstanding_deliveries where shop_id = $1 and attempts = 1",
          [shop.id],
        );
      const [delivery] = (await eventually(deliveries, (rows) => rows.length === 1)) as [
        Awaited<ReturnType<typeof deliveries>>[0],
      ];
      expect(between(delivery.attempted_at, delivery.next_attempt_at)).to.be.within(3.9, 60);
      expect(Math.abs(between(delivery.attempted_at, delivery.now))).to.be.lessThan(60);
      await eventually(
        () => worker.output,
        (output) => output.includes("clock skew between this machine and PostgreSQL"),
      );
    });

    it(`probes a failing endpoint on time when the worker is ${name}`, async () => {
      status = 500;
      await query(
        server.databaseUrl,
        "update webhook_endpoints set consecutive_failures = 9, failing_topics = '{\"product.created\": 9}', failing_since = now() where shop_id = $1",
        [shop.id],
      );
      await start("worker", shift);
      for (let change = 0; change < 5; change += 1) await create(server);
      const endpoint = async () =>
        (
          await query<{ probe_at: Date | null; failing_since: Date; disabled_at: Date | null; now: Date }>(
            server.databaseUrl,
            "select *, now() as now from webhook_endpoints where shop_id = $1",
            [shop.id],
          )
        )[0]!;
      const open = await eventually(endpoint, ({ probe_at: probeAt }) => probeAt !== null);
      expect(between(open.now, open.probe_at!)).to.be.within(0, 46);
      expect(open.disabled_at).to.equal(null);
      await wait(2_000);
      // The attempts before the circuit opened, and no probe yet.
      expect(arrivals.length).to.be.at.most(5);
    });

    it(`accepts sessions opened by another API when it is ${name}`, async () => {
      const api = await start("api", shift);
      const owner = await buildStaff(server.em, shop);
      const ask = async (at: { url: string }, headers: Record<string, string>) =>
        (await askGraphql(at, "{ viewer { name } }", {}, headers)).data.viewer;
      expect(await ask(api, await logIn(server, owner))).to.deep.equal({ name: owner.email });
      expect(await ask(server, await logIn(api, owner))).to.deep.equal({ name: owner.email });
    });
  }
});
