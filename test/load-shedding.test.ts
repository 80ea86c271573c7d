import { randomUUID } from "node:crypto";
import { expect } from "chai";
import pg from "pg";
import type { Shop } from "../src/core/shops/shop.entity.ts";
import { call, type Answer } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { buildKey, buildShop, buildStaff } from "./support/factories.ts";
import { askGraphql, logIn } from "./support/graphql.ts";
import { collectLines } from "./support/telemetry/log-lines.ts";
import { useMetrics } from "./support/telemetry/scrape.ts";
import { useServer } from "./support/server.ts";

const MOST_EACH = 60;

describe("Refusals of a shop that goes on to ask for too much", () => {
  const { logger, lines } = collectLines();
  const server = useServer({ logger });
  const metrics = useMetrics(server);
  let busy: Shop;
  let key: string;
  let blocker: pg.Client;
  let waiting: Promise<unknown>[];

  beforeEach("fill the shop's share with what waits", async () => {
    lines.length = 0;
    busy = await buildShop(server.em);
    key = await buildKey(server.em, busy);
    blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table products");
    waiting = Array.from({ length: MOST_EACH }, () => list());
    await eventually(
      () => metrics.read("requests_under_way"),
      (count) => count === MOST_EACH,
    );
  });

  afterEach("let everything end", async () => {
    await blocker.end();
    await Promise.all(waiting);
  });

  const list = (headers: Record<string, string> = {}) => call(server, "GET", `/${busy.id}/products`, { key, headers });
  const withMessage = (message: string) => lines.filter(({ msg, shopId }) => msg === message && shopId === busy.id);
  const refusedLines = () => withMessage("request").filter(({ status }) => status === 503);
  const repeated = () => withMessage("requests refused").reduce((sum, { requests }) => sum + Number(requests), 0);

  async function refusals(count: number): Promise<Answer[]> {
    const answers = [];
    while (answers.length < count) answers.push(await list());
    return answers;
  }

  it("are the same as the first, with names of their own", async () => {
    const [first, ...others] = await refusals(10);
    const told = ({ status, headers, text }: Answer) => {
      const lasting = [...headers].filter(([name]) => name !== "date" && name !== "x-request-id");
      return { status, headers: new Map(lasting), text };
    };
    expect(first!.status).to.equal(503);
    for (const other of others) expect(told(other)).to.deep.equal(told(first!));
    const names = [first!, ...others].map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(names)).to.have.length(10);
    const requestId = randomUUID();
    expect((await list({ "x-request-id": requestId })).headers.get("x-request-id")).to.equal(requestId);
  });

  it("are all counted, and logged together but for the first of a second", async () => {
    const counted = () => metrics.read("requests_total", { status: "503", route: "/api/v1/:shopId/products" });
    const before = { total: (await counted()) ?? 0, refused: (await metrics.read("requests_refused_total"))! };
    await refusals(50);
    await eventually(
      () => repeated() + refusedLines().length,
      (count) => count === 50,
    );
    expect(repeated()).to.be.above(refusedLines().length);
    expect(await counted()).to.equal(before.total + 50);
    expect(await metrics.read("requests_refused_total")).to.equal(before.refused + 50);
  });

  it("end as soon as there is room", async () => {
    await refusals(3);
    await blocker.query("rollback");
    await Promise.all(waiting);
    await eventually(
      () => metrics.read("requests_under_way"),
      (count) => count === 0,
    );
    expect((await list()).status).to.equal(200);
  });

  it("are of the API alone that refused, and of its caller", async () => {
    await refusals(3);
    const other = await buildShop(server.em);
    const orders = await call(server, "GET", `/${other.id}/orders`, { key: await buildKey(server.em, other) });
    expect(orders.status).to.equal(200);
    const headers = { authorization: `Bearer ${key}` };
    for (const path of ["/health", "/admin/", "/api/v1/openapi.json"]) {
      expect((await fetch(server.url + path, { headers })).status, path).to.equal(200);
    }
  });

  it("are in the form of GraphQL there, and no less for what would be lighter", async () => {
    const staff = await buildStaff(server.em, busy);
    const session = await logIn(server, staff);
    const ask = (limit: number) => {
      const text = `query ($id: ID!) { shop(id: $id) { products(limit: ${limit}) { total } } }`;
      return askGraphql(server, text, { id: busy.id }, session);
    };
    for (const limit of [250, 250, 1]) {
      const { status, headers, errors } = await ask(limit);
      expect(status).to.equal(503);
      expect(headers.get("retry-after")).to.equal("1");
      expect(errors[0]).to.deep.include({ message: "Too many requests at once" });
      expect(errors[0]!.extensions.code).to.equal("UNAVAILABLE");
    }
  });
});
