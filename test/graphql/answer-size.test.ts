import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { MAX_ANSWER_BYTES, MAX_ANSWER_OBJECTS } from "../../src/graphql/limits/answer-size.ts";
import { query } from "../support/database.ts";
import { buildOrder, buildProduct, buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";

/** As long as a description may be; four bytes each. */
const DESCRIPTION = "🍵".repeat(20_000);

describe("The size of a /graphql response", () => {
  const server = useServer();
  let shop: Shop;
  let session: Record<string, string>;

  before(async () => {
    shop = await buildShop(server.em);
    session = await logIn(server, await buildStaff(server.em, shop));
    for (let index = 0; index < 110; index += 1) await buildProduct(server.em, shop, { title: `Tea ${index}` });
    await query(server.databaseUrl, "update products set description = $2 where shop_id = $1", [shop.id, DESCRIPTION]);
  });

  const list = (limit: number) =>
    askGraphql(
      server,
      "query ($id: ID!, $limit: Int!) { shop(id: $id) { products(limit: $limit) { items { description } } } }",
      { id: shop.id, limit },
      session,
    );

  it("may reach the limit", async () => {
    const { status, data } = await list(100);
    expect(status).to.equal(200);
    expect(data.shop.products.items).to.have.length(100);
  });

  it("may not exceed the limit", async () => {
    const { status, data, errors, extensions } = await list(110);
    expect(status).to.equal(400);
    expect(data).to.equal(undefined);
    const message = `The response would have more than ${MAX_ANSWER_BYTES} bytes: request less at once`;
    expect(errors).to.deep.equal([{ message, extensions: { code: "TOO_LARGE" } }]);
    expect(extensions.cost.requested).to.equal(2 + 110 * 21);
  });

  it("includes aliases", async () => {
    const { status, errors } = await askGraphql(
      server,
      `query ($id: ID!) { shop(id: $id) { products(limit: 110) { items { ${"z".repeat(80_000)}: __typename } } } }`,
      { id: shop.id },
      session,
    );
    expect(errors.map(({ extensions }) => extensions.code)).to.deep.equal(["TOO_LARGE"]);
    expect(status).to.equal(400);
  });

  it("includes JSON escapes", async () => {
    await query(server.databaseUrl, "update products set description = $2 where shop_id = $1", [
      shop.id,
      "\u0001".repeat(20_000),
    ]);
    expect((await list(60)).status).to.equal(200);
    expect((await list(80)).errors.map(({ extensions }) => extensions.code)).to.deep.equal(["TOO_LARGE"]);
    await query(server.databaseUrl, "update products set description = $2 where shop_id = $1", [shop.id, DESCRIPTION]);
  });

  it("includes objects in lists, which cost only estimates", async () => {
    const lines = Array.from({ length: 250 }, () => ({}));
    for (let built = 0; built < 4; built += 1) await buildOrder(server.em, shop, { items: lines });
    const aliases = Array.from({ length: 30 }, (_, index) => `a${index}: items { id }`);
    const text = `query ($id: ID!, $limit: Int!) { shop(id: $id) { orders(limit: $limit) { items { ${aliases.join(" ")} } } } }`;
    const ask = (limit: number) => askGraphql(server, text, { id: shop.id, limit }, session);
    expect((await ask(3)).status).to.equal(200);
    const { status, errors } = await ask(4);
    const message = `The response would have more than ${MAX_ANSWER_OBJECTS} objects: request less at once`;
    expect(errors).to.deep.equal([{ message, extensions: { code: "TOO_LARGE" } }]);
    expect(status).to.equal(400);
  });

  it("has a lower limit without a session or token", async () => {
    const alias = "z".repeat(120_000);
    const { status, errors } = await askGraphql(server, `{ webhookTopics { ${alias}: __typename } }`);
    const message = `The response would have more than ${1024 * 1024} bytes: request less at once`;
    expect(errors).to.deep.equal([{ message, extensions: { code: "TOO_LARGE" } }]);
    expect(status).to.equal(400);
  });

  it("reports that a mutation was executed", async () => {
    const rows = await query<{ id: string }>(server.databaseUrl, "select id from products where shop_id = $1", [
      shop.id,
    ]);
    const { status, errors } = await askGraphql(
      server,
      `mutation ($shop: ID!, $inputs: [BulkUpdateProductInput!]!) {
         updateProducts(shopId: $shop, inputs: $inputs) { product { description } } }`,
      { shop: shop.id, inputs: rows.map(({ id }) => ({ id, title: "Green tea" })) },
      session,
    );
    expect(errors.map(({ extensions }) => extensions)).to.deep.equal([
      { code: "TOO_LARGE", hint: "The operation was carried out, except for the fields with other errors." },
    ]);
    expect(status).to.equal(200);
    const find = "select distinct title from products where shop_id = $1";
    expect(await query(server.databaseUrl, find, [shop.id])).to.deep.equal([{ title: "Green tea" }]);
  });
});
