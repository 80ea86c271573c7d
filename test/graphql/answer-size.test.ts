import { expect } from "chai";
import { MAX_ANSWER_BYTES, MAX_ANSWER_OBJECTS } from "../../src/graphql/limits/answer-size.ts";
import { buildOrder, buildProduct } from "../support/factories.ts";
import { askGraphql } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";
import { World } from "../support/world.ts";

/** As long as a description may be; four bytes each. */
const DESCRIPTION = "🍵".repeat(20_000);

describe("The size of a /graphql response", () => {
  const world = new World(useServer());
  const { server, shop, ask, sql } = world;

  const describeAll = (text: string) => sql("update products set description = $2 where shop_id = $1", text);

  before(async () => {
    await world.open();
    for (let index = 0; index < 110; index += 1) await buildProduct(server.em, shop, { title: `Tea ${index}` });
    await describeAll(DESCRIPTION);
  });

  const list = (limit: number) =>
    ask(
      "query ($shopId: ID!, $limit: Int!) { shop(id: $shopId) { products(limit: $limit) { items { description } } } }",
      {
        limit,
      },
    );

  it("may reach the limit, and not exceed it", async () => {
    expect((await list(100)).data.shop.products.items).to.have.length(100);
    const { status, data, errors, extensions } = await list(110);
    expect(status).to.equal(400);
    expect(data).to.equal(undefined);
    const message = `The response would have more than ${MAX_ANSWER_BYTES} bytes: request less at once`;
    expect(errors).to.deep.equal([{ message, extensions: { code: "TOO_LARGE" } }]);
    expect(extensions.cost.requested).to.equal(2 + 110 * 21);
  });

  it("includes aliases", async () => {
    const { status, errors } = await ask(
      `query ($shopId: ID!) { shop(id: $shopId) { products(limit: 110) { items { ${"z".repeat(80_000)}: __typename } } } }`,
    );
    expect(errors.map(({ extensions }) => extensions.code)).to.deep.equal(["TOO_LARGE"]);
    expect(status).to.equal(400);
  });

  it("includes JSON escapes", async () => {
    await describeAll("\u0001".repeat(20_000));
    expect((await list(60)).status).to.equal(200);
    expect((await list(80)).errors.map(({ extensions }) => extensions.code)).to.deep.equal(["TOO_LARGE"]);
    await describeAll(DESCRIPTION);
  });

  it("includes objects in lists, which cost only estimates", async () => {
    const lines = Array.from({ length: 250 }, () => ({}));
    for (let built = 0; built < 4; built += 1) await buildOrder(server.em, shop, { items: lines });
    const aliases = Array.from({ length: 30 }, (_, index) => `a${index}: items { id }`);
    const text = `query ($shopId: ID!, $limit: Int!) { shop(id: $shopId) { orders(limit: $limit) { items { ${aliases.join(" ")} } } } }`;
    expect((await ask(text, { limit: 3 })).status).to.equal(200);
    const { status, errors } = await ask(text, { limit: 4 });
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
    const rows = await sql("select id from products where shop_id = $1");
    const { status, errors } = await ask(
      `mutation ($shopId: ID!, $inputs: [BulkUpdateProductInput!]!) {
         updateProducts(shopId: $shopId, inputs: $inputs) { product { description } } }`,
      { inputs: rows.map(({ id }) => ({ id, title: "Green tea" })) },
    );
    expect(errors.map(({ extensions }) => extensions)).to.deep.equal([
      { code: "TOO_LARGE", hint: "The operation was carried out, except for the fields with other errors." },
    ]);
    expect(status).to.equal(200);
    expect(await sql("select distinct title from products where shop_id = $1")).to.deep.equal([{ title: "Green tea" }]);
  });
});
