import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import pg from "pg";
import { operator } from "../src/core/access/actor.ts";
import { Permission } from "../src/core/model/permissions.ts";
import { createServiceToken } from "../src/core/credentials/service-tokens/service-tokens.ts";
import { generateApiKeySecret } from "../src/core/credentials/secret.ts";
import type { Shop } from "../src/core/model/shops/shop.entity.ts";
import { generateToken } from "../src/core/staff/accounts/token.ts";
import { call } from "./support/client.ts";
import { openBrowser } from "./support/browser/browser.ts";
import { eventually } from "./support/eventually.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "./support/factories.ts";
import { askGraphql, logIn } from "./support/graphql.ts";
import { logInFrom, someAddress, times, unknown } from "./support/staff/logins.ts";
import { collectLines } from "./support/telemetry/log-lines.ts";
import { useMetrics } from "./support/telemetry/scrape.ts";
import { useServer } from "./support/server.ts";

/** Longer than results are cached. */
const LOOKED_UP_AGAIN = 1_000;

describe("A flood of anonymous requests", () => {
  const { logger, lines } = collectLines();
  const server = useServer({ config: { trustedProxies: 1 }, logger });
  const metrics = useMetrics(server);
  let shop: Shop;
  let owner: TestStaff;
  let blocker: pg.Client;
  let floods: Promise<unknown>[];

  beforeEach("make logins wait", async () => {
    lines.length = 0;
    floods = [];
    shop = await buildShop(server.em);
    owner = await buildStaff(server.em, shop);
    blocker = new pg.Client({ connectionString: server.databaseUrl });
  });

  afterEach("let everything end", async () => {
    await blocker.end();
    await Promise.all(floods);
  });

  /** Fills the share of these networks with wrong logins that wait. */
  async function flood(addresses: string[]): Promise<void> {
    await blocker.connect();
    await blocker.query("begin; lock table login_attempts");
    floods = addresses.flatMap((address) => times(40, () => logInFrom(server, address, unknown())));
    await eventually(
      () => metrics.read("requests_refused_total"),
      (count) => count! > 0,
    );
    expect(await metrics.read("requests_in_flight")).to.be.at.most(60);
  }

  const withSession = (session: Record<string, string>, address: string) =>
    askGraphql(server, "{ viewer { name } }", {}, { ...session, "x-forwarded-for": address });
  const withKey = (key: string, address: string) =>
    call(server, "GET", `/${shop.id}/products`, { key, headers: { "x-forwarded-for": address } });

  const withMadeUpSession = (address: string) => withSession({ cookie: `session=${generateToken()}` }, address);

  /** Fills the share of one network for requests with credentials, with sessions whose look-up waits. */
  async function floodWithSessions(address: string): Promise<void> {
    await blocker.connect();
    await blocker.query("begin; lock table sessions");
    const refused = (await metrics.read("requests_refused_total"))!;
    floods = times(40, () => withMadeUpSession(address));
    await eventually(
      () => metrics.read("requests_refused_total"),
      (count) => count === refused + 10,
    );
  }

  it("from many networks refuses no known client", async () => {
    const addresses = times(20, someAddress);
    const [session, key] = [await logIn(server, owner), await buildKey(server.em, shop)];
    const ask = async () => [
      (await withSession(session, addresses[0]!)).status,
      (await withKey(key, addresses[0]!)).status,
    ];
    expect(await ask()).to.deep.equal([200, 200]);
    await wait(LOOKED_UP_AGAIN);
    await flood(addresses);
    expect(await ask()).to.deep.equal([200, 200]);
  });

  it("from a shop's own network refuses neither its credentials nor logins elsewhere", async () => {
    const address = someAddress();
    const [session, key] = [await logIn(server, owner), await buildKey(server.em, shop)];
    const browser = openBrowser(server, { "x-forwarded-for": address });
    browser.cookies.set("device", "of a browser with an earlier login");
    await flood([address]);
    expect((await logInFrom(server, address, owner)).status).to.equal(503);
    expect((await withSession(session, address)).status).to.equal(200);
    expect((await withKey(key, address)).status).to.equal(200);
    const logins = [browser.logIn(owner), logInFrom(server, someAddress(), owner)];
    await blocker.query("rollback");
    for (const { status } of await Promise.all(logins)) expect(status).to.equal(200);
  });

  const areLoggedTogether = () =>
    lines.some(
      ({ msg, tenant, requests }) => msg === "requests refused" && tenant === "anonymous" && Number(requests) > 1,
    );

  it("is limited by network, whatever its headers, and logged once", async () => {
    const address = someAddress();
    await flood([address]);
    const before = (await metrics.read("requests_refused_total"))!;
    for (let sent = 0; sent < 50; sent += 1) {
      expect((await logInFrom(server, `${someAddress()}, ${address}`, unknown())).status).to.equal(503);
    }
    expect(await metrics.read("requests_refused_total")).to.equal(before + 50);
    await eventually(areLoggedTogether, (logged) => logged);
  });

  it("is refused at routes that do not exist, and not at pages and probes", async () => {
    const address = someAddress();
    const get = (path: string) => fetch(server.url + path, { headers: { "x-forwarded-for": address } });
    await flood([address]);
    const { status, headers } = await get("/nothing");
    expect([status, headers.get("retry-after")]).to.deep.equal([503, "1"]);
    for (const path of ["/readyz", "/api/v1/openapi.json", "/docs", "/admin/login"]) {
      expect((await get(path)).status, path).to.equal(200);
    }
    await blocker.query("rollback");
  });

  it("is refused when each request has a different invented session", async () => {
    const address = someAddress();
    const session = await logIn(server, owner);
    await withSession(session, address);
    const ask = () => withMadeUpSession(address);
    await floodWithSessions(address);
    for (let sent = 0; sent < 50; sent += 1) expect((await ask()).status).to.equal(503);
    const known = withSession(session, address);
    await blocker.query("rollback");
    expect((await known).status).to.equal(200);
    await eventually(areLoggedTogether, (logged) => logged);
  });

  it("is not admitted when invented keys are sent beside a valid session", async () => {
    const [address, key] = [someAddress(), generateApiKeySecret()];
    const session = await logIn(server, owner);
    const beside = await withSession({ ...session, "x-service-access-token": key }, address);
    expect(beside.data.viewer).not.to.equal(null);
    await floodWithSessions(address);
    expect((await withKey(key, address)).status).to.equal(503);
  });
});

describe("A credential without a shop", () => {
  const server = useServer({ own: "counts the requests of all shops" });
  const metrics = useMetrics(server);
  let shop: Shop;
  let blocker: pg.Client;

  beforeEach(async () => {
    shop = await buildShop(server.em);
    blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
  });

  afterEach("let everything end", () => blocker.end());

  const session = async () => logIn(server, await buildStaff(server.em, shop));
  const token = async () => {
    const tool = { name: "Tool", permissions: [Permission.READ_PRODUCTS] };
    const { secret } = await createServiceToken({ em: server.em, shop, actor: operator }, tool);
    return { authorization: `Bearer ${secret}` };
  };
  const ways = {
    "an ended session": { credential: session, lost: "sessions", lookedUpIn: "sessions", answer: 200 },
    "the session of a person who works nowhere": {
      credential: session,
      lost: "memberships",
      lookedUpIn: "sessions",
      answer: 200,
    },
    "a revoked token": { credential: token, lost: "service_tokens", lookedUpIn: "service_tokens", answer: 401 },
  };

  for (const [which, { credential, lost, lookedUpIn, answer }] of Object.entries(ways)) {
    it(`counts as anonymous: ${which}`, async () => {
      const headers = await credential();
      const ask = () => askGraphql(server, "{ viewer { name } }", {}, headers);
      expect((await ask()).data.viewer).not.to.equal(null);
      await blocker.query(`delete from ${lost}`);
      expect((await ask()).status).to.equal(answer);
      await wait(LOOKED_UP_AGAIN);
      await blocker.query(`begin; lock table ${lookedUpIn}`);
      const asked = times(40, ask);
      await eventually(
        () => metrics.read("requests_in_flight"),
        (count) => count === 30,
      );
      await blocker.query("rollback");
      expect((await Promise.all(asked)).filter(({ status }) => status === 503)).to.have.length(10);
    });
  }
});

describe("A credential that cannot be looked up for a while", () => {
  const server = useServer({ own: "counts the requests of all shops" });
  const metrics = useMetrics(server);

  it("counts for its shop again afterward", async () => {
    const session = await logIn(server, await buildStaff(server.em, await buildShop(server.em)));
    const ask = () => askGraphql(server, "{ viewer { name } }", {}, session);
    await ask();
    const blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table sessions");
    // The statement ends by its time.
    expect((await ask()).status).not.to.equal(200);
    const asked = times(40, ask);
    await eventually(
      () => metrics.read("requests_in_flight"),
      (count) => count === 40,
    );
    await blocker.end();
    await Promise.all(asked);
  });
});

describe("Requests on a closed connection", () => {
  const server = useServer({ own: "counts the requests of all shops" });
  const metrics = useMetrics(server);
  const underWay = (expected: number) =>
    eventually(
      () => metrics.read("requests_in_flight"),
      (count) => count === expected,
    );

  it("are no longer counted, even before a refused CONNECT", async () => {
    const blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table sessions");
    const session = `Cookie: session=${generateToken()}\r\n`;
    const ask = `GET /graphql?query={viewer{name}} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${session}\r\n`;
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`${ask.repeat(3)}CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await underWay(1);
    socket.resetAndDestroy();
    await blocker.end();
    await underWay(0);
  });
});
