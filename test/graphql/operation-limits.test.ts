import { expect } from "chai";
import { getIntrospectionQuery, getNullableType, isEnumType, isNonNullType, isObjectType } from "graphql";
import { createSchema } from "../../src/core/schema.ts";
import * as limits from "../../src/graphql/limits/operation-limits.ts";
import { buildOrder } from "../support/factories.ts";
import { useServer } from "../support/server.ts";
import { World } from "../support/world.ts";

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(" ");

/** Each fragment spreads the next one twice: 2 to the power of 90 fields, in 900 tokens. */
const bomb = (leaf: string) =>
  `${many(90, (i) => `fragment F${i} on Shop { ...F${i + 1} ...F${i + 1} }`)} fragment F90 on Shop { ${leaf} }`;

describe("An operation at /graphql", () => {
  const world = new World(useServer());

  before(async () => {
    await world.open();
    await buildOrder(world.server.em, world.shop);
  });

  async function ask(document: string, variables: Record<string, unknown> = {}) {
    const answer = await (await world.browser()).ask(document, { id: world.shop.id, ...variables });
    return { ...answer, code: answer.errors[0]?.extensions.code };
  }

  async function expectRefusal(document: string, code: string, variables?: Record<string, unknown>) {
    const answer = await ask(document, variables);
    expect(answer.code, JSON.stringify(answer.errors)).to.equal(code);
    expect(answer.status).to.equal(400);
    expect(answer.data).to.equal(undefined);
    return answer;
  }

  async function expectAnswer(document: string, variables?: Record<string, unknown>) {
    const answer = await ask(document, variables);
    expect(answer.errors).to.deep.equal([]);
    expect(answer.status).to.equal(200);
    return answer;
  }

  describe("with nested fields", () => {
    const deep = (inner: string) => `{ viewer { memberships { shop { ${inner} } } } }`;
    const orders = "orders { items { items { id } payments { id } customer { id } } }";

    it("is accepted at the depth of the schema", async () => {
      await expectAnswer(deep(orders));
    });

    it("is accepted at the depth of introspection, which costs nearly nothing", async () => {
      const { data, extensions } = await expectAnswer(getIntrospectionQuery({ inputValueDeprecation: true }));
      expect(data.__schema.types).to.be.an("array");
      expect(extensions.cost.requested).to.equal(1);
    });

    it("is refused with endless introspection", async () => {
      const deeper = "fields { type { ".repeat(5) + "name" + " } }".repeat(5);
      const { status, code } = await ask(`{ __type(name: "Shop") { ${deeper} } }`);
      expect({ status, code }).to.deep.equal({ status: 400, code: "GRAPHQL_VALIDATION_FAILED" });
    });
  });

  it("may have 30 aliases, including those in fragments", async () => {
    const aliases = (count: number) => many(count, (i) => `a${i}: id`);
    await expectAnswer(`{ viewer { ${aliases(30)} } }`);
    await expectRefusal(`{ viewer { ${aliases(31)} } }`, "TOO_MANY_ALIASES");
    await expectAnswer(`{ a: viewer { ...A } b: viewer { ...A } } fragment A on Viewer { ${aliases(14)} }`);
    await expectRefusal(
      `{ a: viewer { ...A } b: viewer { ...A } } fragment A on Viewer { ${aliases(15)} }`,
      "TOO_MANY_ALIASES",
    );
  });

  it("may have 1,000 tokens", async () => {
    // Validation gives up on so many fields of one name; what matters here is who refuses.
    await expectRefusal(`{ viewer { ${"id ".repeat(995)} } }`, "GRAPHQL_VALIDATION_FAILED");
    await expectRefusal(`{ viewer { ${"id ".repeat(996)} } }`, "GRAPHQL_PARSE_FAILED");
  });

  describe("costs", () => {
    const costOf = async (document: string, variables?: Record<string, unknown>) => {
      const { extensions } = await ask(document, variables);
      expect(extensions.cost.maximum).to.equal(limits.MAX_COST);
      return extensions.cost.requested as number;
    };
    const products = (args: string, inside = "id variants { id }") =>
      `query ($id: ID!${args.includes("$") ? ", $limit: Int = 7" : ""}) { shop(id: $id) { products${args} { total items { ${inside} } } } }`;

    it("one for each object, and nothing for scalars", async () => {
      expect(await costOf("{ __typename }")).to.equal(0);
      expect(await costOf("query ($id: ID!) { shop(id: $id) { id name plan } }")).to.equal(1);
      expect(await costOf("query ($id: ID!) { shop(id: $id) { product(id: 1) { id } order(id: 1) { id } } }")).to.equal(
        3,
      );
    });

    it("the selection of a page times its limit, given, default or variable", async () => {
      expect(await costOf(products("(limit: 10)"))).to.equal(52 + 10 * 6);
      expect(await costOf(products(""))).to.equal(52 + 50 * 6);
      expect(await costOf(products("(limit: $limit)"))).to.equal(52 + 7 * 6);
      expect(await costOf(products("(limit: $limit)"), { limit: 100 })).to.equal(52 + 100 * 6);
    });

    it("fifty for the total of a page, once", async () => {
      const total = "query ($id: ID!) { shop(id: $id) { ...A } } fragment A on Shop { orders(limit: 250) { ...B } }";
      expect(await costOf(`${total} fragment B on OrderPage { total nextCursor }`)).to.equal(2 + 50);
    });

    it("the selection of a list of results times the elements of its input", async () => {
      const update = `mutation ($id: ID!, $inputs: [BulkUpdateProductInput!]!) {
        updateProducts(shopId: $id, inputs: $inputs) { product { description } } }`;
      const inputs = (count: number) => ({ inputs: Array.from({ length: count }, () => ({ id: "prod_none" })) });
      expect(await costOf(update, inputs(3))).to.equal(10 + 3 + 5 * 21);
      expect(await costOf(update, inputs(100))).to.equal(10 + 100 + 100 * 21);
      await expectRefusal(update, "TOO_COSTLY", inputs(250));
    });

    it("each entry of a limited list that is not a page", async () => {
      const entries = (limit: number) =>
        `query ($id: ID!) { shop(id: $id) { customers(limit: 4) { items { storeCreditEntries(limit: ${limit}) { id } } } } }`;
      expect(await costOf(entries(250))).to.equal(2 + 4 * 251);
      await expectRefusal(entries(250).replace("limit: 4", "limit: 20"), "TOO_COSTLY");
    });

    it("one for each thousand characters of a long text", async () => {
      expect(await costOf(products("(limit: 10)", "description"))).to.equal(52 + 10 * 21);
    });

    it("five times the selection for a list without a limit", async () => {
      expect(await costOf("{ viewer { memberships { permissions } } }")).to.equal(1 + 5);
      expect(await costOf("{ viewer { memberships { shop { id } } } }")).to.equal(1 + 5 * 2);
    });

    it("ten for each mutation, and one for each element of its lists", async () => {
      const create = `mutation ($id: ID!, $topics: [String!]!) {
        a: createWebhookEndpoint(shopId: $id, input: { url: "ftp://x", topics: $topics }) { secret }
        b: createWebhookEndpoint(shopId: $id, input: { url: "ftp://x", topics: ["x", "y"] }) { secret } }`;
      expect(await costOf("mutation { logOut }".replace("logOut", "__typename"))).to.equal(0);
      expect(await costOf(create, { topics: ["x", "y", "z"] })).to.equal(20 + 3 + 2);
      const code = "TOO_COSTLY";
      await expectRefusal(create, code, { topics: Array.from({ length: limits.MAX_COST }, () => "x") });
    });

    it("little enough for a page of 250 orders with lines, payments and customers", async () => {
      const { extensions } = await expectAnswer(
        `query ($id: ID!) { shop(id: $id) { orders(limit: 250) {
           items { id items { id } payments { id } customer { id } } } } }`,
      );
      expect(extensions.cost.requested).to.equal(2 + 250 * 12);
    });

    it("at most 5,000, and the error names the cost", async () => {
      const page = (index: number) => `a${index}: products(limit: 250) { items { id variants { id } } }`;
      const shopWith = (count: number) => `query ($id: ID!) { shop(id: $id) { ${many(count, page)} } }`;
      await expectAnswer(shopWith(3));
      const { extensions } = await expectRefusal(shopWith(4), "TOO_COSTLY");
      expect(extensions.cost).to.deep.equal({ requested: 1 + 4 * 1_501, maximum: 5_000 });
    });

    it("no less for a limit below one, or in fragments", async () => {
      for (const limit of [0, -1, -2_147_483_648]) {
        const { extensions, code } = await ask(products(`(limit: ${limit})`));
        expect({ code, cost: extensions.cost.requested }).to.deep.equal({ code: "VALIDATION_FAILED", cost: 52 + 6 });
      }
      const document = `query ($id: ID!) { shop(id: $id) { ...A } } fragment A on Shop { products(limit: 9) { ...B } }
        fragment B on ProductPage { items { ... on Product { variants { id } } } }`;
      expect(await costOf(document)).to.equal(2 + 9 * 6);
    });

    it("at most the largest number", async () => {
      const leaf = "products(limit: 250) { items { id } }";
      const { extensions } = await expectRefusal(
        `query ($id: ID!) { shop(id: $id) { ...F0 } } ${bomb(leaf)}`,
        "TOO_COSTLY",
      );
      expect(extensions.cost.requested).to.equal(Number.MAX_SAFE_INTEGER);
    });

    it("the same when variables fit the document but not the argument", async () => {
      const { status, code, data } = await ask(products("(limit: $limit)"), { limit: null });
      expect({ status, code, data }).to.deep.equal({ status: 200, code: "BAD_USER_INPUT", data: { shop: null } });
    });
  });

  it("is refused by every list with a limit over the maximum", async () => {
    const { Shop } = createSchema().getTypeMap();
    if (!isObjectType(Shop)) throw new Error("no shop");
    const lists = Object.values(Shop.getFields()).filter(({ args }) => args.some(({ name }) => name === "limit"));
    expect(lists).not.to.deep.equal([]);
    for (const { name, args } of lists) {
      const needed = args.filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined);
      const values = needed.map((arg) => {
        const type = getNullableType(arg.type);
        if (!isEnumType(type)) throw new Error(`no value for ${name}(${arg.name}: ${type})`);
        return `${arg.name}: ${type.getValues()[0]!.name}`;
      });
      const call = `${name}(${[...values, "limit: 251"].join(", ")})`;
      const { code } = await ask(`query ($id: ID!) { shop(id: $id) { ${call} { total } } }`);
      expect(code, name).to.equal("VALIDATION_FAILED");
    }
  });

  it("is answered quickly with multiplying fragments", async () => {
    for (const path of ["", "products { items { id } }", "order(id: 1) { id }"]) {
      const leaf = `id ${path}`;
      await ask(`query ($id: ID!) { shop(id: $id) { ...F0 } } ${bomb(leaf)}`);
    }
    const { errors } = await ask(`query ($id: ID!) { shop(id: $id) { products { items { ...F0 } } } }
      ${bomb("id").replaceAll("on Shop", "on Product")}`);
    expect(errors).to.deep.equal([]);
  });
});
