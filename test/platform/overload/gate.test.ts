import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { Gate } from "../../../src/platform/overload/gate.ts";
import { TenantCache } from "../../../src/platform/overload/tenants.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import { Metrics } from "../../../src/platform/telemetry/metrics.ts";
import { eventually } from "../../support/eventually.ts";

/** With ten connections to PostgreSQL, 200 requests may be in flight, and 60 of one tenant. */
const POOL_SIZE = 10;

describe("The gate", () => {
  let server: ReturnType<typeof createServer>;
  let tenants: TenantCache;
  /** The pending responses of admitted requests, by credential and address. */
  let owed: Map<string, ServerResponse[]>;
  let letIn: ((isLetIn: boolean) => void) | undefined;

  beforeEach("start a server that answers nothing by itself", async () => {
    tenants = new TenantCache(1);
    owed = new Map();
    const options = { isFree: (path: string) => path === "/livez", refusalAt: () => "{}" };
    const gate = new Gate({
      ...options,
      poolSize: POOL_SIZE,
      tenants,
      logger: createLogger("silent"),
      metrics: new Metrics(),
    });
    const guarded = gate.guard(async ({ headers, url }, response) => {
      if (url === "/livez") return void response.end();
      const name = nameOf(headers as Record<string, string>);
      owed.set(name, [...(owed.get(name) ?? []), response]);
      letIn?.(true);
    });
    server = createServer((request, response) => void guarded(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  type Caller = Record<string, string>;
  const nameOf = ({ authorization, "x-forwarded-for": address }: Caller) => `${authorization} at ${address}`;
  const url = (path = "/") => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  /** Sends a request. Returns whether it was admitted. */
  function ask(headers: Caller): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    letIn = resolve;
    fetch(url(), { headers }).then(
      ({ status }) => status === 503 && resolve(false),
      () => undefined,
    );
    return promise;
  }

  /** Fills the shares of callers in turns. Returns the number of admitted requests of each. */
  async function fill(callers: Caller[]): Promise<number[]> {
    const counts = callers.map(() => 0);
    for (let isFull = false; !isFull;) {
      isFull = true;
      for (const [index, caller] of callers.entries()) {
        if (!(await ask(caller))) continue;
        counts[index]! += 1;
        isFull = false;
      }
    }
    return counts;
  }

  const shop = (name: string): Caller => {
    tenants.remember(`key-${name}`, name);
    return { authorization: `Bearer key-${name}` };
  };
  const shops = (count: number) => Array.from({ length: count }, (_, index) => shop(`shop-${index}`));
  const networks = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ "x-forwarded-for": `192.0.2.${index + 1}` }));

  it("admits 30 % of all requests for one tenant", async () => {
    expect(await fill(shops(1))).to.deep.equal([60]);
  });

  it("leaves an equal share for one more tenant", async () => {
    expect(await fill(shops(4))).to.deep.equal([40, 40, 40, 40]);
    expect(await fill([shop("late")])).to.deep.equal([20]);
  });

  it("leaves a share for one more tenant, however many are busy", async () => {
    await fill(shops(50));
    expect(await ask(shop("late"))).to.equal(true);
  });

  it("admits half of the anonymous requests for one network, and less for each of several", async () => {
    expect(await fill(networks(1))).to.deep.equal([30]);
    expect(await fill([{ "x-forwarded-for": "198.51.100.1" }])).to.deep.equal([15]);
  });

  it("admits shops regardless of anonymous requests", async () => {
    expect((await fill(networks(50))).reduce((sum, count) => sum + count)).to.be.at.most(60);
    expect(await fill([shop("known")])).to.deep.equal([60]);
  });

  it("counts anonymous requests with and without a credential separately", async () => {
    const address = { "x-forwarded-for": "192.0.2.1" };
    expect(await fill([address])).to.deep.equal([30]);
    expect(await ask({ ...address, authorization: "Bearer unknown" })).to.equal(true);
  });

  it("counts requests until they are answered or their client disconnects", async () => {
    const caller = shop("shop");
    await fill([caller]);
    for (const response of owed.get(nameOf(caller))!.slice(0, 30)) response.end();
    for (const response of owed.get(nameOf(caller))!.slice(30)) response.destroy();
    await eventually(
      () => ask(caller),
      (isLetIn) => isLetIn,
    );
    expect(await fill([caller])).to.deep.equal([59]);
  });

  it("does not limit probes", async () => {
    await fill(networks(50));
    expect((await fetch(url("/livez"))).status).to.equal(200);
  });
});
