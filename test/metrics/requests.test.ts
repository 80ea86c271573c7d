import { expect } from "chai";
import pg from "pg";
import { Plan, type Shop } from "../../src/core/model/shops/shop.entity.ts";
import { call } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop, buildStaff, importProduct, type TestStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useMetrics } from "../support/telemetry/scrape.ts";
import { useServer } from "../support/server.ts";

const MAX_EACH = 60;

describe("Request metrics", () => {
  const server = useServer({ own: "counts the requests of all shops" });
  const metrics = useMetrics(server);
  let shop: Shop;
  let key: string;
  let staff: TestStaff;

  before("open a shop", async () => {
    shop = await buildShop(server.em, { plan: Plan.GROWTH });
    key = await buildKey(server.em, shop, ["read_products", "read_orders"]);
    staff = await buildStaff(server.em, shop);
  });

  /** The change of a figure while something is done. */
  async function during(name: string, labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> {
    const earlier = (await metrics.read(name, labels)) ?? 0;
    await work();
    return ((await metrics.read(name, labels)) ?? 0) - earlier;
  }

  const requests: [string, Record<string, string>, () => Promise<unknown>][] = [
    [
      "a list",
      { method: "GET", route: "/api/v1/:shopId/products", status: "200", plan: "GROWTH" },
      () => call(server, "GET", `/${shop.id}/products?limit=1`, { key }),
    ],
    [
      "a record",
      { method: "GET", route: "/api/v1/:shopId/products/:id", status: "200", plan: "GROWTH" },
      async () => call(server, "GET", `/${shop.id}/products/${(await importProduct(server.em, shop)).id}`, { key }),
    ],
    [
      "what the plan does not include",
      { method: "POST", route: "/api/v1/:shopId/products", status: "403", plan: "GROWTH" },
      () => call(server, "POST", `/${shop.id}/products`, { key, body: { title: "Mug", price: 1 } }),
    ],
    [
      "one without a key",
      { method: "GET", route: "/api/v1/:shopId/orders", status: "401", plan: "unknown" },
      () => call(server, "GET", `/${shop.id}/orders`),
    ],
    [
      "a method that a route has not",
      { method: "other", route: "/api/v1/:shopId/orders", status: "405", plan: "unknown" },
      () => fetch(`${server.url}/api/v1/${shop.id}/orders`, { method: "PROPFIND" }),
    ],
    [
      "a path that leads nowhere",
      { method: "GET", route: "unmatched", status: "404", plan: "unknown" },
      () => fetch(`${server.url}/api/v1/${shop.id}/unheard-of`),
    ],
    ...(
      [
        ["Admin", "/admin/*", "/admin/login", 200],
        ["an asset that Admin has not", "/admin/assets/*", "/admin/assets/none.js", 404],
        ["the reference", "/docs", "/docs", 200],
        ["the way to Admin", "/", "/", 302],
      ] as const
    ).map(([what, route, path, status]): (typeof requests)[number] => [
      what,
      { method: "GET", route, status: String(status), plan: "unknown" },
      () => fetch(server.url + path, { redirect: "manual" }),
    ]),
    ["a probe", { route: "/readyz", status: "200", plan: "unknown" }, () => fetch(`${server.url}/readyz`)],
    [
      "GraphQL",
      { method: "POST", route: "/graphql", status: "200", plan: "GROWTH" },
      async () => askGraphql(server, "{ viewer { id } }", {}, await logIn(server, staff)),
    ],
  ];
  for (const [what, labels, send] of requests) {
    it(`count ${what} by route, status and plan, with durations`, async () => {
      const { method = "GET", route = "" } = labels;
      const timed = () => during("request_duration_seconds_count", { method, route }, send);
      let measured = 0;
      expect(await during("requests_total", labels, async () => (measured = await timed()))).to.equal(1);
      expect(measured).to.be.within(1, 2);
    });
  }

  it("count operations by root field, whatever their name", async () => {
    const session = await logIn(server, staff);
    const count = (operation: string, kind: string, outcome: string, document: string) =>
      during("graphql_operations_total", { kind, operation, outcome }, () =>
        askGraphql(server, document, { id: shop.id }, session),
      );
    const products = "query Secret($id: ID!) { __typename shop(id: $id) { __typename products { total } } }";
    expect(await count("shop.products", "query", "OK", products)).to.equal(1);
    const shopAlone = "query ($id: ID!) { shop(id: $id) { name plan } }";
    expect(await count("shop", "query", "OK", shopAlone)).to.equal(1);
    const several = "query ($id: ID!) { viewer { id } shop(id: $id) { name } }";
    expect(await count("several", "query", "OK", several)).to.equal(1);
    const fragment = "query ($id: ID!) { shop(id: $id) { ...F } } fragment F on Shop { products { total } }";
    expect(await count("shop", "query", "OK", fragment)).to.equal(1);
    const missing = 'mutation ($id: ID!) { revokeApiKey(shopId: $id, id: "key_none") { id } }';
    expect(await count("revokeApiKey", "mutation", "NOT_FOUND", missing)).to.equal(1);
    expect(await count("unknown", "unknown", "GRAPHQL_PARSE_FAILED", "{ unheardOf")).to.equal(1);
    expect(await count("unknown", "unknown", "GRAPHQL_VALIDATION_FAILED", "{ unheardOf }")).to.equal(1);
  });

  it("include the cost of operations, also of refused ones", async () => {
    const session = await logIn(server, staff);
    const page = "products(limit: 250) { items { variants { id title sku } } }";
    const costly = `query ($id: ID!) { shop(id: $id) { a: ${page} b: ${page} c: ${page} d: ${page} e: ${page} } }`;
    const { extensions, errors } = await askGraphql(server, costly, { id: shop.id }, session);
    expect(errors[0]!.extensions.code).to.equal("TOO_COSTLY");
    const grown = await during("graphql_operation_cost_sum", { kind: "query" }, () =>
      askGraphql(server, costly, { id: shop.id }, session),
    );
    expect(grown).to.equal(extensions.cost.requested);
  });

  it("count requests in flight, waiting and refused", async () => {
    const blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table products");
    const before = (await metrics.read("requests_refused_total"))!;
    // Twice as many as may be at once: those at work end when they have waited too long, and a busy machine sends slowly.
    const all = Array.from({ length: MAX_EACH * 2 }, () => call(server, "GET", `/${shop.id}/products`, { key }));
    await eventually(
      () => metrics.read("requests_in_flight"),
      (count) => count === MAX_EACH,
    );
    expect(await metrics.read("requests_waiting")).to.be.within(1, MAX_EACH - 3);
    expect(await metrics.read("database_connections", { pool: "requests", state: "busy" })).to.be.at.least(1);
    await blocker.query("rollback");
    await blocker.end();
    const refused = (await Promise.all(all)).filter(({ json }) => json.error === "Too many requests at once");
    expect(refused).not.to.be.empty;
    expect(await metrics.read("requests_refused_total")).to.equal(before + refused.length);
    expect(await metrics.read("requests_total", { route: "refused", status: "503" })).to.equal(before + refused.length);
    await eventually(
      () => metrics.read("requests_in_flight"),
      (count) => count === 0,
    );
    expect(await metrics.read("requests_waiting")).to.equal(0);
    expect(await metrics.read("database_connections_limit", { pool: "requests" })).to.equal(10);
    expect(await metrics.read("database_connection_wait_seconds_count")).to.be.at.least(MAX_EACH);
  });

  it("include the process", async () => {
    const names = (await metrics.scrape()).map(({ name }) => name);
    expect(names).to.include.members(["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"]);
  });

  it("are on a separate port", async () => {
    expect((await fetch(`${server.url}/metrics`)).status).to.equal(404);
    expect((await fetch(`${metrics.url}/api/v1/openapi.json`)).status).to.equal(404);
  });

  it("have no labels with a shop, a key, a person or an address", async () => {
    const text = await (await fetch(`${metrics.url}/metrics`)).text();
    for (const name of [shop.id, shop.name, key, staff.id, staff.email, "127.0.0.1", "unheard-of", "Secret"]) {
      expect(text).not.to.include(name);
    }
  });

  it("exclude webhooks without a worker", async () => {
    const names = (await metrics.scrape()).map(({ name }) => name);
    expect(names.filter((name) => /job|webhook/.test(name))).to.deep.equal([]);
  });
});
