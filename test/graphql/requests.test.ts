import { expect } from "chai";
import { generateSecret } from "../../src/core/credentials/secret.ts";
import { newId } from "../../src/core/model/ids.ts";
import { kysely } from "../../src/core/queries/database.ts";
import { RequestLog, type LoggedRequest } from "../../src/core/requests/request-log.sql.ts";
import { purgeRequests } from "../../src/jobs/retention/purge-expired.sql.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop } from "../support/factories.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useWorld } from "../support/world.ts";

const REQUESTS = `query ($id: ID!, $key: ID, $request: String, $status: Int, $statusClass: Int, $path: String, $after: String, $limit: Int = 50) {
  shop(id: $id) {
    requests(apiKeyId: $key, requestId: $request, status: $status, statusClass: $statusClass, path: $path, after: $after, limit: $limit) {
      total nextCursor
      items { id requestId apiKeyId apiKey { name lastCharacters status } method route path status durationMs errorBody createdAt }
    }
  }
}`;

describe("The request log", () => {
  const world = useWorld();
  const { server, shop } = world;
  let key: string;

  beforeEach(async () => {
    key = await buildKey(server.em, shop);
  });

  const ask = (variables = {}) => world.ask(REQUESTS, { id: shop.id, ...variables });
  const read = async (variables = {}) => (await ask(variables)).data.shop.requests;
  // The rows and their number are read one after the other.
  const kept = (total: number) =>
    eventually(
      () => read(),
      (page) => page.total === total && page.items.length === total,
    );

  it("records the request, and the body of an error", async () => {
    const product = newId("prod");
    const answers = [
      await call(server, "GET", `/${shop.id}/products?search=mug`, { key }),
      await call(server, "GET", `/${shop.id}/products/${product}`, { key }),
      await call(server, "POST", `/${shop.id}/products`, { key, body: { title: "" } }),
    ];
    const { items } = await kept(3);
    expect(items.map(({ requestId }: { requestId: string }) => requestId).toReversed()).to.deep.equal(
      answers.map(({ headers }) => headers.get("x-request-id")),
    );
    const [refused, missing, list] = items;
    expect(list).to.deep.include({
      method: "GET",
      route: "/products",
      path: "/products",
      status: 200,
      errorBody: null,
    });
    const route = "/products/{productId}";
    expect(missing).to.deep.include({ route, path: `/products/${product}`, status: 404, errorBody: answers[1]!.text });
    expect(refused).to.deep.include({ method: "POST", status: 400, errorBody: answers[2]!.text });
    const [{ id }] = (await world.sql("select id from api_keys where shop_id = $1")) as [{ id: string }];
    for (const item of items) {
      expect(item.apiKeyId).to.equal(id);
      expect(item.durationMs).to.be.greaterThan(0);
    }
  });

  it("filters by key, request, status and path, with pages", async () => {
    const narrow = await buildKey(server.em, shop, ["read_orders"]);
    const { headers } = await call(server, "GET", `/${shop.id}/products`, { key: narrow });
    const path = `/products/${newId("prod")}`;
    await call(server, "GET", `/${shop.id}${path}`, { key });
    await call(server, "GET", `/${shop.id}/orders`, { key });
    const { items } = await kept(3);
    const [orders, missing, forbidden] = items;
    const found = async (filter: object) => (await read(filter)).items;
    expect(await found({ key: forbidden.apiKeyId })).to.deep.equal([forbidden]);
    expect(await found({ request: headers.get("x-request-id") })).to.deep.equal([forbidden]);
    expect(await found({ status: 404 })).to.deep.equal([missing]);
    expect(await found({ statusClass: 4 })).to.deep.equal([missing, forbidden]);
    expect(await found({ statusClass: 5 })).to.deep.equal([]);
    for (const unknown of [{ statusClass: 6 }, { status: 100_000 }]) {
      expect((await ask(unknown)).errors[0]!.extensions.code).to.equal("VALIDATION_FAILED");
    }
    expect(await found({ path })).to.deep.equal([missing]);
    expect(await found({ path: "/orders" })).to.deep.equal([orders]);
    const first = await read({ limit: 2 });
    expect(first.items).to.deep.equal([orders, missing]);
    expect((await read({ limit: 2, after: first.nextCursor })).items).to.deep.equal([forbidden]);
  });

  it("records requests to a foreign shop in the key's own shop, and none without a valid key", async () => {
    const other = await buildShop(server.em);
    expect((await call(server, "GET", `/${other.id}/products`, { key })).status).to.equal(404);
    expect((await call(server, "GET", `/${shop.id}/products`, { key: "wrong" })).status).to.equal(401);
    const { items } = await kept(1);
    expect(items[0]).to.deep.include({ status: 404, route: "/products" });
    expect(await query(server.databaseUrl, "select from api_requests where shop_id = $1", [other.id])).to.deep.equal(
      [],
    );
  });

  it("names the key of each request, including revoked and expired keys", async () => {
    const narrow = await buildKey(server.em, shop, ["read_orders"]);
    for (const secret of [key, narrow]) await call(server, "GET", `/${shop.id}/orders`, { key: secret });
    const { items } = await kept(2);
    const revoke = "update api_keys set revoked_at = now(), name = 'Old key' where shop_id = $1 and id = $2";
    await world.sql(revoke, items[0].apiKeyId);
    const shown = (await read()).items.map(({ apiKey }: { apiKey: object }) => apiKey);
    expect(shown).to.deep.equal([
      { name: "Old key", lastCharacters: narrow.slice(-4), status: "REVOKED" },
      { name: "Test key", lastCharacters: key.slice(-4), status: "ACTIVE" },
    ]);
  });

  it("masks secrets in the path, however they are encoded", async () => {
    const written = key.replace("_", "%5F");
    const tries = [
      `/${shop.id}/products/${key}`,
      `/${shop.id}/products/${written}`,
      `/${shop.id}/products?key=${key}`,
      `/${shop.id}/products?${written}=1`,
      `/${key}/products`,
      `/${shop.id}/orders/${generateSecret("svt_")}`,
    ];
    for (const path of tries) expect((await call(server, "GET", path, { key })).status).to.be.within(400, 404);
    const { items } = await kept(tries.length);
    const logged = JSON.stringify(items);
    for (const hidden of [key.slice(8), "sk_live", "svt_", "sk%5F"]) expect(logged).not.to.include(hidden);
    expect(items.at(-1)).to.include({ path: "/products/***", route: "/products/{productId}", status: 404 });
  });

  const HOURS =
    "query ($id: ID!, $hours: Int! = 2) { shop(id: $id) { hourlyRequests(hours: $hours) { hour requests clientErrors serverErrors } } }";
  const askHours = (variables = {}) => world.ask(HOURS, { id: shop.id, ...variables });

  it("is counted by the hour, with its errors", async () => {
    const other = await buildKey(server.em, await buildShop(server.em));
    await call(server, "GET", `/${shop.id}/products`, { key });
    await call(server, "GET", `/${shop.id}/products/${newId("prod")}`, { key });
    await call(server, "GET", `/${shop.id}/products`, { key: other });
    await kept(2);
    await world.sql(`insert into hourly_requests (shop_id, hour, requests, client_errors, server_errors)
       select shop_id, hour - interval '1 hour', 9, 3, 2 from hourly_requests where shop_id = $1`);
    const hours = (await askHours()).data.shop.hourlyRequests;
    expect(Date.parse(hours[1].hour) - Date.parse(hours[0].hour)).to.equal(3_600_000);
    expect(hours.map(({ hour: _, ...counts }: { hour: string }) => counts)).to.deep.equal([
      { requests: 9, clientErrors: 3, serverErrors: 2 },
      { requests: 2, clientErrors: 1, serverErrors: 0 },
    ]);
    expect((await askHours({ hours: 168 })).data.shop.hourlyRequests).to.have.length(168);
    for (const wrong of [0, 169]) {
      expect((await askHours({ hours: wrong })).errors[0]!.extensions.code).to.equal("VALIDATION_FAILED");
    }
  });

  it("drops requests after 30 days, and over the maximum number", async () => {
    const insert = (age: string) =>
      world.sql(
        `insert into api_requests (shop_id, id, request_id, api_key_id, method, route, path, status, duration_ms, created_at)
         select $1, $2, 'r', 'key', 'GET', '/products', '/products', 200, 1, now() - $3::interval`,
        age.startsWith("31") ? "req_00000000000000000000000000" : newId("req"),
        age,
      );
    for (const age of ["31 days", "3 seconds", "2 seconds", "1 second"]) await insert(age);
    const signal = new AbortController().signal;
    await purgeRequests(server.em.fork(), signal);
    expect(await read()).to.include({ total: 3 });
    const [newest, second] = (await read()).items;
    await purgeRequests(server.em.fork(), signal, 2);
    expect((await read()).items).to.deep.equal([newest, second]);
  });

  describe("under overload", () => {
    const entry = (shopId: string): LoggedRequest => ({
      shopId,
      requestId: "r",
      apiKeyId: "key",
      method: "GET",
      route: "/products",
      path: "/products",
      status: 200,
      durationMs: 1,
      errorBody: null,
      address: null,
      userAgent: null,
    });

    it("drops only the excess of one shop", async () => {
      const log = new RequestLog({ database: kysely(server.em), logger: createLogger("silent") });
      const calm = await buildShop(server.em);
      for (let index = 0; index < 300; index += 1) log.append(entry(shop.id));
      log.append(entry(calm.id));
      await log.stop();
      const count = (id: string) => query(server.databaseUrl, "select from api_requests where shop_id = $1", [id]);
      expect(await count(shop.id)).to.have.length(250);
      expect((await askHours({ hours: 1 })).data.shop.hourlyRequests[0]).to.include({ requests: 300 });
      expect(await count(calm.id)).to.have.length(1);
    });

    it("drops entries that cannot be stored, and logs a warning", async () => {
      const { logger, lines } = collectLines();
      const log = new RequestLog({ database: kysely(server.em), logger });
      await query(server.databaseUrl, "alter table api_requests rename to away");
      try {
        log.append(entry(shop.id));
        await log.stop();
      } finally {
        await query(server.databaseUrl, "alter table away rename to api_requests");
      }
      expect(lines.map(({ msg, requests }) => [msg, requests])).to.deep.equal([
        ["requests are missing from the shops' logs", 1],
      ]);
    });
  });
});
