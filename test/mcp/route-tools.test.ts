import { expect } from "chai";
import { scopeFor } from "../../src/core/access/permissions.ts";
import { newId } from "../../src/core/model/ids.ts";
import { SCOPES, type Scope } from "../../src/core/model/permissions.ts";
import { routes } from "../../src/rest/router.ts";
import { eventually } from "../support/eventually.ts";
import { buildCustomer, buildKey, buildOrder, buildProduct, importProduct } from "../support/factories.ts";
import { GENERATIONS, openAssistant, type Assistant } from "../support/mcp.ts";
import { buildTenant, type Tenant } from "../support/shops/access.ts";
import { useWorld } from "../support/world.ts";

/** The argument with the id of a route's record, if it has one. */
const idArgument = (path: string) => /\{(\w+)\}/.exec(path)?.[1];

const MUG = { title: "Mug", price: 14.5, idempotencyKey: "mug" };

describe("The tools of an API key", () => {
  const world = useWorld();
  const { server, shop } = world;
  const open = async (scopes: readonly Scope[] = SCOPES) =>
    openAssistant(server, await buildKey(server.em, shop, scopes));

  for (const generation of GENERATIONS) {
    it(`return the body of their REST routes, to a client of ${generation}`, async () => {
      const assistant = await openAssistant(server, await world.key(), generation);
      expect(assistant.client.getNegotiatedProtocolVersion()).to.equal(generation);
      const { id: productId } = await importProduct(server.em, shop);
      const customer = await buildCustomer(server.em, shop);
      const { id: orderId } = await buildOrder(server.em, shop, { customer });
      const ids: Record<string, string> = { productId, orderId, customerId: customer.id };
      for (const { path, operationId, method, nextCursor } of routes.filter((route) => route.method === "GET")) {
        const argument = idArgument(path);
        const { json } = await world.call(method, argument ? path.replace(/\{\w+\}/, ids[argument]!) : path);
        const answer = await assistant.call(operationId, argument ? { [argument]: ids[argument] } : {});
        expect(answer).to.deep.equal({ ...json, ...(nextCursor && { nextCursor: null }) });
      }
    });
  }

  it("are one for each route, and say what they do, in at most 3,000 tokens", async () => {
    const tools = await (await open()).tools();
    expect(tools.map(({ name }) => name)).to.have.members(routes.map(({ operationId }) => operationId));
    for (const { name, annotations, description, inputSchema } of tools) {
      const route = routes.find(({ operationId }) => operationId === name)!;
      const isRead = route.method === "GET";
      expect(description).to.equal(route.description);
      expect(annotations).to.deep.include({ readOnlyHint: isRead, destructiveHint: false, idempotentHint: true });
      expect(inputSchema.required?.includes("idempotencyKey") ?? false).to.equal(!isRead);
    }
    expect(JSON.stringify(tools).length / 4).to.be.at.most(3_000);
  });

  it("name the next page, and have at most 50 rows", async () => {
    for (const title of ["A", "B", "C"]) await buildProduct(server.em, shop, { title });
    const assistant = await open();
    const titles: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { products, nextCursor } = await assistant.call("listProducts", { limit: 1, ...(cursor && { cursor }) });
      titles.push(...products.map(({ title }: { title: string }) => title));
      cursor = nextCursor;
    }
    expect(titles).to.deep.equal(["C", "B", "A"]);
    expect(await assistant.refusal("listProducts", { limit: 51 })).to.deep.equal({
      error: "Validation error",
      details: [{ in: "query", path: "limit", code: "too_big", message: "Must be at most 50" }],
    });
  });

  it("continue a page that was too large with the client's own arguments", async () => {
    const variants = Array.from({ length: 100 }, (_, index) => ({ title: "大".repeat(100), sku: `S-${index}` }));
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await importProduct(server.em, shop, { variants })).id);
    const assistant = await open();
    const listed: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const answer = await assistant.call("listProducts", { limit: 4, ...(cursor && { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(answer))).to.be.at.most(60_000);
      expect(answer.pagination).to.include({ limit: 4, total: 5 });
      listed.push(...answer.products.map(({ id }: { id: string }) => id));
      cursor = answer.nextCursor;
    }
    expect(listed).to.have.members(ids).and.length(5);
  });

  it("make a retried write one change", async () => {
    const assistant = await open();
    const first = await assistant.call("createProduct", MUG);
    expect(first).to.deep.equal({ product: { ...first.product, title: "Mug" }, replayed: false });
    expect(await assistant.call("createProduct", MUG)).to.deep.equal({ ...first, replayed: true });
    expect((await assistant.call("listProducts")).pagination.total).to.equal(1);
    const changed = await assistant.refusal("createProduct", { ...MUG, price: 15 });
    expect(changed.details[0]).to.include({ in: "body", code: "idempotency_key_reused" });
  });

  it("refuse invalid arguments with the error of REST, and change nothing", async () => {
    const assistant = await open();
    const refused = async (name: string, args: Record<string, unknown>) => {
      const { error, details } = await assistant.refusal(name, args);
      expect(error).to.equal("Validation error");
      return details.map(({ path, code }: Record<string, string>) => `${path} ${code}`);
    };
    expect(await refused("createProduct", { title: "", price: 1.234, color: "red" })).to.have.members([
      "idempotencyKey required",
      "title too_small",
      "price too_many_decimals",
      "color unknown_field",
    ]);
    expect(await refused("createProduct", { ...MUG, idempotencyKey: "" })).to.deep.equal(["idempotencyKey too_small"]);
    expect(await refused("getProduct", {})).to.deep.equal(["productId required"]);
    expect(await refused("getProduct", { productId: "\ud800" })).to.deep.equal(["productId invalid_text"]);
    expect(await refused("listProducts", { search: { not: "text" }, page: 2, limit: 1.5 })).to.have.members([
      "search invalid_type",
      "page unknown_field",
      "limit invalid_type",
    ]);
    expect(await refused("listProducts", { cursor: "NaN..00000000" })).to.deep.equal(["cursor invalid_value"]);
    expect((await assistant.call("listProducts")).pagination.total).to.equal(0);
  });

  it("cut long texts, and say so", async () => {
    const { id } = await importProduct(server.em, shop, { description: `${"a".repeat(499)}😀${"b".repeat(1_000)}` });
    const { product } = await (await open()).call("getProduct", { productId: id });
    expect(product.description).to.equal(`${"a".repeat(499)}… [cut: 1501 characters]`);
  });

  it("appear in the shop's request log as their routes", async () => {
    const assistant = await open();
    const productId = newId("prod");
    await assistant.call("createProduct", MUG);
    expect(await assistant.refusal("getProduct", { productId })).to.deep.equal({ error: "Product not found" });
    const rows = await eventually(
      () =>
        world.sql("select method, route, path, status, error_body from api_requests where shop_id = $1 order by id"),
      (found) => found.length === 2,
    );
    expect(rows).to.deep.equal([
      { method: "POST", route: "/products", path: "/products", status: 201, error_body: null },
      {
        method: "GET",
        route: "/products/{productId}",
        path: `/products/${productId}`,
        status: 404,
        error_body: '{"error":"Product not found"}',
      },
    ]);
  });

  describe("in the matrix of access", () => {
    let own: Tenant;
    let foreign: Tenant;

    beforeEach("build two shops", async () => {
      own = await buildTenant(server.em);
      foreign = await buildTenant(server.em);
    });

    const openOwn = async (scopes: readonly Scope[] = SCOPES) =>
      openAssistant(server, await buildKey(server.em, own.shop, scopes));
    const argumentsFor = (path: string, { ids }: Tenant) => {
      const all: Record<string, string> = { productId: ids.Product, orderId: ids.Order, customerId: ids.Customer };
      const argument = idArgument(path);
      return argument ? { [argument]: all[argument] } : {};
    };

    it("find no record of another shop", async () => {
      const assistant = await openOwn();
      for (const { operationId, path, resource } of routes.filter(({ path: each }) => idArgument(each))) {
        expect(await assistant.call(operationId, argumentsFor(path, own))).to.be.an("object");
        const refusal = await assistant.refusal(operationId, argumentsFor(path, foreign));
        expect(refusal).to.deep.equal({ error: `${resource} not found` });
      }
      for (const { operationId } of routes.filter(({ nextCursor }) => nextCursor)) {
        expect((await assistant.call(operationId)).pagination.total).to.equal(1);
      }
    });

    it("are listed and answer only with their scope", async () => {
      for (const scope of SCOPES) {
        const assistant = await openOwn([scope]);
        const opened = routes.filter(({ permission }) => scopeFor(permission) === scope);
        const names = (await assistant.tools()).map(({ name }) => name);
        expect(names).to.have.members(opened.map(({ operationId }) => operationId));
        for (const route of routes.filter(({ operationId }) => !names.includes(operationId))) {
          const { error, hint } = await assistant.refusal(route.operationId, { ...argumentsFor(route.path, own) });
          expect(error).to.equal("API key does not have the required scope");
          expect(hint).to.contain(scopeFor(route.permission));
        }
      }
    });

    it("are those of the plan", async () => {
      const assistant: Assistant = await openAssistant(server, await world.key());
      await world.sql("update shops set plan = 'GROWTH' where id = $1");
      await eventually(
        () => assistant.tools(),
        (tools) => tools.every(({ name }) => name !== "createProduct"),
      );
      expect((await assistant.refusal("createProduct", MUG)).error).to.equal("Plan does not allow this scope");
    });
  });
});
