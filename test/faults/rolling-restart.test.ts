import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { findFreePort } from "../../src/platform/postgres/embedded-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildProduct, buildShop } from "../support/factories.ts";
import { haproxy, startHaproxy, type Proxy } from "../support/programs/haproxy.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";

const isRequired = process.env.REQUIRE_HAPROXY === "1";
/** A hundred requests a second. */
const INTERVAL = 10;
/** Below the 30 in flight of a network whose key a new process does not know yet. A slow machine is asked less often. */
const MOST_IN_FLIGHT = 24;
/** Longer than production's, for a machine on which probes take seconds. */
const environment = { SHUTDOWN_DELAY: "15" };

describe(`A rolling restart behind a proxy${haproxy ? "" : " (skipped: no HAProxy found; HAPROXY names one)"}`, function () {
  this.timeout(240_000);
  const encryptionKeys = [{ name: "rolling", key: randomBytes(32) }];
  const server = useServer({ config: { encryptionKeys } });
  const ports: Record<string, number> = {};
  const processes: Record<string, ServerProcess> = {};
  const failures: string[] = [];
  const over = new AbortController();
  let served: Record<string, number> = {};
  let proxy: Proxy | undefined;
  let path: string;
  let headers: Record<string, string>;

  beforeEach(async function () {
    if (!haproxy) {
      if (isRequired) throw new Error("No HAProxy found: install it, or name it with HAPROXY");
      return this.skip();
    }
    const shop = await buildShop(server.em);
    await buildProduct(server.em, shop);
    headers = { authorization: `Bearer ${await buildKey(server.em, shop)}`, "content-type": "application/json" };
    path = `/api/v1/${shop.id}/products`;
    for (const name of ["one", "two"]) {
      ports[name] = await findFreePort();
      await start(name);
    }
    proxy = await startHaproxy(ports);
  });

  afterEach(async () => {
    over.abort();
    await proxy?.stop();
    await Promise.all(Object.values(processes).map((each) => each.stop()));
  });

  async function start(name: string): Promise<void> {
    const { databaseUrl } = server;
    processes[name] = new ServerProcess({
      command: "api",
      databaseUrl,
      encryptionKeys,
      port: ports[name],
      environment,
    });
    await processes[name].started();
  }

  /** One of ten is a create: nobody may send it twice. */
  async function send(count: number): Promise<void> {
    const create = { method: "POST", body: JSON.stringify({ title: `Product ${count}`, price: 1 }) };
    try {
      const answer = await fetch(proxy!.url + path, { headers, ...(count % 10 === 0 && create) });
      const text = await answer.text();
      const name = answer.headers.get("x-served-by") ?? "nobody";
      if (answer.ok) served[name] = (served[name] ?? 0) + 1;
      else failures.push(`${answer.status} of ${name}: ${text}`);
    } catch (error) {
      failures.push(String((error as Error).cause ?? error));
    }
  }

  async function sendAllTheTime(): Promise<void> {
    const inFlight = new Set<Promise<void>>();
    const begin = performance.now();
    for (let count = 0; !over.signal.aborted; count += 1) {
      await wait(Math.max(0, begin + count * INTERVAL - performance.now()));
      if (inFlight.size >= MOST_IN_FLIGHT) continue;
      const request = send(count).finally(() => inFlight.delete(request));
      inFlight.add(request);
    }
    await Promise.all(inFlight);
  }

  async function bothServe(): Promise<void> {
    served = {};
    await eventually(
      () => served,
      ({ one = 0, two = 0 }) => one > 100 && two > 100,
    );
  }

  it("fails no request", async () => {
    const sending = sendAllTheTime();
    await bothServe();
    for (const name of ["one", "two"]) {
      await processes[name]!.stop();
      await start(name);
      await bothServe();
    }
    over.abort();
    await sending;
    expect(failures, proxy!.output()).to.deep.equal([]);
  });
});
