import { expect } from "chai";
import pg from "pg";
import { call } from "../support/client.ts";
import { buildKey } from "../support/factories.ts";
import { callRaw } from "../support/requests/raw.ts";
import { useWorld } from "../support/world.ts";

describe("Idempotency-Key", () => {
  const world = useWorld();
  const { server, shop, open } = world;

  const mug = { title: "Mug", price: 14.5, sku: "MUG-01", inventoryQuantity: 40 };

  async function create(idempotencyKey: string, body: unknown = mug, key?: string) {
    return world.call("POST", "/products", {
      key: key ?? (await world.key()),
      body,
      headers: { "Idempotency-Key": idempotencyKey },
    });
  }

  async function count(table: "products" | "variants" | "events" | "idempotency_keys"): Promise<number> {
    const statement = `select count(*)::int as rows from ${table} where shop_id = $1`;
    const [row] = await world.sql<{ rows: number }>(statement);
    return row!.rows;
  }

  it("replays the first response byte for byte, and creates nothing", async () => {
    const first = await create("one");
    expect(first.status).to.equal(201);
    const second = await create("one");
    expect(second.status).to.equal(201);
    expect(second.text).to.equal(first.text);
    expect(second.headers.get("location")).to.equal(first.headers.get("location"));
    expect(second.headers.get("x-request-id")).not.to.equal(first.headers.get("x-request-id"));
    expect(await count("products")).to.equal(1);
    expect(await count("variants")).to.equal(1);
    expect(await count("events")).to.equal(1);
  });

  it("creates a product per request without it", async () => {
    for (const _ of [1, 2]) await world.call("POST", "/products", { body: mug });
    expect(await count("products")).to.equal(2);
    expect(await count("idempotency_keys")).to.equal(0);
  });

  it("creates a product per key", async () => {
    for (const idempotencyKey of ["one", "One", "one two", '"one"']) {
      expect((await create(idempotencyKey)).status).to.equal(201);
    }
    expect(await count("products")).to.equal(4);
  });

  it("treats values in another order, given as defaults, or with decomposed letters, as the same request", async () => {
    const first = await create("one", { title: "Café", price: 1 });
    const second = await create("one", '{ "price": 1.0, "status": "ACTIVE", "title": " Cafe\u0301 " }');
    expect(second.text).to.equal(first.text);
    expect(await count("products")).to.equal(1);
  });

  it("refuses another body, with the reason", async () => {
    const first = await create("one");
    for (const change of [{ title: "Mugs" }, { price: 14.51 }, { sku: "" }, { inventoryQuantity: 0 }]) {
      const { status, json } = await create("one", { ...mug, ...change });
      expect(status).to.equal(400);
      expect(json.error).to.equal("Validation error");
      expect(json.details).to.have.length(1);
      expect(json.details[0]).to.include({ code: "idempotency_key_reused" });
    }
    expect(await count("products")).to.equal(1);
    expect((await create("one")).text).to.equal(first.text);
  });

  it("belongs to one shop", async () => {
    const first = await create("one");
    await open();
    const second = await create("one", { ...mug, title: "Another" });
    expect(second.status).to.equal(201);
    expect(second.json.product.id).not.to.equal(first.json.product.id);
  });

  it("belongs to one API key: another may use the same", async () => {
    const first = await create("one");
    const key = await buildKey(server.em, shop);
    const second = await create("one", mug, key);
    expect(second.json.product.id).not.to.equal(first.json.product.id);
    expect((await create("one", mug, key)).text).to.equal(second.text);
    expect((await create("one", { ...mug, title: "Mugs" }, key)).status).to.equal(400);
    expect(await count("products")).to.equal(2);
  });

  it("marks only a replayed response with a header", async () => {
    const replayed = async (body?: unknown) => (await create("one", body)).headers.get("idempotent-replayed");
    expect(await replayed()).to.equal(null);
    expect(await replayed()).to.equal("true");
    expect(await replayed({ ...mug, title: "Mugs" })).to.equal(null);
    expect(await replayed()).to.equal("true");
  });

  it("is documented with its rules and the header of a replay", async () => {
    const { json } = await call(server, "GET", "/openapi.json");
    const { parameters, responses } = json.paths["/api/v1/{shopId}/products"].post;
    const parameter = parameters.find(({ name }: { name: string }) => name === "Idempotency-Key");
    expect(parameter.description).to.include("Keys belong to the caller");
    expect(responses[201].headers).to.have.property("Idempotent-Replayed");
  });

  it("creates one product for ten concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create("one")));
    for (const { status, text } of answers) {
      expect(status).to.equal(201);
      expect(text).to.equal(answers[0]!.text);
    }
    expect(await count("products")).to.equal(1);
    expect(await count("events")).to.equal(1);
  });

  it("creates one product for concurrent requests with different bodies, and refuses the rest", async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => ({ ...mug, title: `Mug ${index}` }));
    const answers = await Promise.all(bodies.map((body) => create("one", body)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).to.deep.equal([201, ...Array.from({ length: 7 }, () => 400)]);
    expect(await count("products")).to.equal(1);
  });

  it("asks to retry while the first request is slow", async () => {
    await world.key();
    const slow = new pg.Client({ connectionString: server.databaseUrl });
    await slow.connect();
    try {
      await slow.query("begin");
      await slow.query(
        `insert into idempotency_keys (shop_id, caller_id, key, fingerprint, result, created_at)
         select $1, id, 'one', '', 'null', now() from api_keys where shop_id = $1`,
        [shop.id],
      );
      const { status, json, headers } = await create("one");
      expect(status).to.equal(409);
      expect(json).to.deep.equal({ error: "A request with this Idempotency-Key is still being processed" });
      expect(Number(headers.get("retry-after"))).to.be.within(1, 60);
      await slow.query("rollback");
    } finally {
      await slow.end();
    }
    expect((await create("one")).status).to.equal(201);
  });

  it("can be reused after 24 hours", async () => {
    const age = (interval: string) =>
      world.sql(`update idempotency_keys set created_at = now() - $2::interval where shop_id = $1`, interval);
    const first = await create("one");
    await age("23 hours 59 minutes");
    expect((await create("one")).text).to.equal(first.text);
    await age("24 hours 1 second");
    const second = await create("one", { ...mug, title: "Another" });
    expect(second.status).to.equal(201);
    expect(second.json.product.id).not.to.equal(first.json.product.id);
    expect((await create("one", { ...mug, title: "Another" })).text).to.equal(second.text);
    expect(await count("products")).to.equal(2);
  });

  it("is not used up by a refused request", async () => {
    expect((await create("one", { ...mug, price: -1 })).status).to.equal(400);
    expect((await create("one", "{")).status).to.equal(400);
    expect((await create("one", { ...mug, price: 0.001 })).status).to.equal(400);
    expect(await count("idempotency_keys")).to.equal(0);
    expect((await create("one")).status).to.equal(201);
  });

  it("replays the first response even if the product has changed or is gone", async () => {
    const first = await create("one");
    await world.sql("update products set title = 'New', handle = 'new', status = 'DRAFT' where shop_id = $1");
    expect((await create("one")).text).to.equal(first.text);
    await world.sql("delete from products where shop_id = $1");
    expect((await create("one")).text).to.equal(first.text);
    expect(await count("products")).to.equal(0);
  });

  it("must not be repeated", async () => {
    const { status, json } = await callRaw(server, "POST", `/${shop.id}/products`, {
      headers: [
        ["Authorization", `Bearer ${await world.key()}`],
        ["Content-Type", "application/json"],
        ["Idempotency-Key", "one"],
        ["Idempotency-Key", "two"],
      ],
      body: JSON.stringify(mug),
    });
    expect(status).to.equal(400);
    expect(json.details[0]).to.include({ in: "header", path: "Idempotency-Key" });
    expect(await count("products")).to.equal(0);
  });

  it("is ignored by reads", async () => {
    const headers = { "Idempotency-Key": "" };
    const { status } = await world.call("GET", "/products", { headers });
    expect(status).to.equal(200);
  });
});
