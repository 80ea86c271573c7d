import { randomUUID } from "node:crypto";
import { expect } from "chai";
import pg from "pg";
import type { Shop } from "../src/core/model/shops/shop.entity.ts";
import { call } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { buildKey, buildShop, buildStaff } from "./support/factories.ts";
import { askGraphql, logIn } from "./support/graphql.ts";
import { collectLines } from "./support/telemetry/log-lines.ts";
import { LIST_TOOLS, postMcp } from "./support/mcp.ts";
import { useMetrics } from "./support/telemetry/scrape.ts";
import { expectShown } from "./support/requests/openapi-examples.ts";
import { useServer } from "./support/server.ts";

const MAX_EACH = 60;

describe("Refusals over a shop's limit", () => {
  const { logger, lines } = collectLines();
  const server = useServer({ logger });
  const metrics = useMetrics(server);
  let busy: Shop;
  let key: string;
  let session: Record<string, string>;
  let blocker: pg.Client;
  let waiting: Promise<unknown>[];

  beforeEach("fill the shop's share with what waits", async () => {
    lines.length = 0;
    busy = await buildShop(server.em);
    key = await buildKey(server.em, busy);
    session = await logIn(server, await buildStaff(server.em, busy));
    // Until a credential is known, its requests are anonymous.
    await list();
    await askGraphql(server, "{ viewer { id } }", {}, session);
    blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table products");
    waiting = Array.from({ length: MAX_EACH }, () => list());
    await inFlight(MAX_EACH);
    expect((await listOrdersOfOther()).status).to.equal(200);
  });

  afterEach("let everything end", async () => {
    await blocker.end();
    await Promise.all(waiting);
  });

  const list = (headers: Record<string, string> = {}) => call(server, "GET", `/${busy.id}/products`, { key, headers });
  const listOrdersOfOther = async () => {
    const other = await buildShop(server.em);
    return call(server, "GET", `/${other.id}/orders`, { key: await buildKey(server.em, other) });
  };
  const inFlight = (expected: number) =>
    eventually(
      () => metrics.read("requests_in_flight"),
      (count) => count === expected,
    );
  const refusalLines = () => lines.filter(({ msg, tenant }) => msg === "requests refused" && tenant === busy.id);

  it("have the documented format, and their own IDs", async () => {
    const { status, headers, json } = await list();
    expect(status).to.equal(503);
    expect(json).to.deep.equal({ error: "Too many requests at once", hint: "Retry shortly." });
    await expectShown(server, 503, json);
    expect(Object.fromEntries(headers)).to.deep.include({
      "retry-after": "1",
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const ids = [headers, (await list()).headers].map((each) => each.get("x-request-id"));
    expect(new Set([...ids, null])).to.have.length(3);
    const requestId = randomUUID();
    expect((await list({ "x-request-id": requestId })).headers.get("x-request-id")).to.equal(requestId);
  });

  it("have GraphQL's format at /graphql", async () => {
    const { status, headers, errors } = await askGraphql(server, "{ viewer { id } }", {}, session);
    expect(status).to.equal(503);
    expect(headers.get("retry-after")).to.equal("1");
    expect(errors[0]).to.deep.include({ message: "Too many requests at once" });
    expect(errors[0]!.extensions.code).to.equal("UNAVAILABLE");
  });

  it("have REST's format at /mcp", async () => {
    const { status, text } = await postMcp(server, key, LIST_TOOLS);
    expect([status, text]).to.deep.equal([503, '{"error":"Too many requests at once","hint":"Retry shortly."}']);
  });

  it("come first: even for a body that is not read", async () => {
    const body = "x".repeat(300 * 1024);
    const headers = { authorization: `Bearer ${key}`, "content-type": "text/plain" };
    const { status } = await fetch(`${server.url}/api/v1/${busy.id}/products`, { method: "POST", body, headers });
    expect(status).to.equal(503);
    expect(lines.filter(({ msg, status: logged }) => msg === "request" && logged === 503)).to.deep.equal([]);
  });

  it("are all counted, and logged together", async () => {
    const before = (await metrics.read("requests_refused_total"))!;
    for (let sent = 0; sent < 50; sent += 1) await list();
    expect(await metrics.read("requests_refused_total")).to.equal(before + 50);
    await eventually(
      () => refusalLines().reduce((sum, { requests }) => sum + Number(requests), 0),
      (count) => count === 50,
    );
    expect(refusalLines().length).to.be.below(50);
  });

  it("end as soon as requests finish", async () => {
    expect((await list()).status).to.equal(503);
    await blocker.query("rollback");
    await Promise.all(waiting);
    await inFlight(0);
    expect((await list()).status).to.equal(200);
  });

  it("say when PostgreSQL is the reason", async () => {
    const { json } = await eventually(list, ({ json: { error } }) => error !== "Too many requests at once");
    expect(json).to.deep.equal({ error: "Service unavailable" });
  });

  it("apply to this shop only, and neither to probes nor to pages", async () => {
    expect((await listOrdersOfOther()).status).to.equal(200);
    const headers = { authorization: `Bearer ${key}` };
    for (const path of ["/health", "/livez", "/readyz?x", "/api/v1/openapi.json", "/admin/", "/docs", "/llms.txt"]) {
      expect((await fetch(server.url + path, { headers })).status, path).to.equal(200);
    }
  });
});
