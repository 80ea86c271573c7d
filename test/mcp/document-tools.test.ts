import { expect } from "chai";
import { newId } from "../../src/core/model/ids.ts";
import { documents } from "../../src/mcp/documents.ts";
import { buildOrder, importProduct, buildCustomer, buildKey } from "../support/factories.ts";
import { GENERATIONS, openAssistant, openService } from "../support/mcp.ts";
import { useWebhookShop, WebhookShop } from "../support/webhooks/webhook-shop.ts";

/** The tools of each permission, repeated here so that a change of the code cannot change them. */
const tools: Record<string, string[]> = {
  READ_ORDERS: ["findOrders", "getOrder"],
  READ_PRODUCTS: ["findProducts", "listStockChanges", "listLowStock"],
  READ_CUSTOMERS: ["findCustomers"],
  READ_LOGS: [
    "listWebhookEndpoints",
    "findDeliveries",
    "getDelivery",
    "findRequests",
    "groupFailedRequests",
    "listAuditLog",
  ],
  REPLAY_DELIVERIES: ["replayDelivery", "replayFailedDeliveries"],
  RECEIVE_EVENTS: [],
  MANAGE_OWN_WEBHOOK_ENDPOINTS: [
    "listWebhookEndpoints",
    "findDeliveries",
    "getDelivery",
    "replayDelivery",
    "replayFailedDeliveries",
  ],
  WRITE_ORDERS: [],
  WRITE_PRODUCTS: [],
  WRITE_CUSTOMERS: [],
};
const all = Object.values(tools).flat();

describe("The tools of a service", () => {
  const shop = useWebhookShop();
  const { server } = shop;

  /** The IDs of a shop's records, by the argument that takes them. */
  async function recordsOf(world: WebhookShop): Promise<Record<string, Record<string, unknown>>> {
    await world.addFailed(1);
    const product = await importProduct(server.em, world.shop);
    const customer = await buildCustomer(server.em, world.shop);
    const order = await buildOrder(server.em, world.shop, { customer });
    const [delivery] = await world.deliveries();
    const since = "2026-01-31T09:30:00.000Z";
    return {
      findOrders: { customerId: customer.id },
      getOrder: { id: order.id },
      findProducts: { handle: product.handle },
      listStockChanges: { productId: product.id },
      findCustomers: { email: customer.email },
      findDeliveries: { endpointId: world.endpointId },
      getDelivery: { id: delivery!.id },
      replayDelivery: { id: delivery!.id, idempotencyKey: newId("evt") },
      replayFailedDeliveries: { endpointId: world.endpointId, since, idempotencyKey: newId("evt") },
      listAuditLog: { targetId: world.endpointId },
    };
  }

  for (const generation of GENERATIONS) {
    it(`are those of its permissions, to a client of ${generation}`, async () => {
      const records = await recordsOf(shop);
      for (const [permission, names] of Object.entries(tools)) {
        const service = await openService(shop, [permission], generation);
        // The newest token owns the endpoint.
        await shop.sql(`update webhook_endpoints set service_token_id = (
          select id from service_tokens where shop_id = $1 order by id desc limit 1) where shop_id = $1`);
        expect((await service.tools()).map(({ name }) => name)).to.have.members(names);
        for (const name of names) expect(await service.call(name, records[name])).to.be.an("object");
        for (const name of all.filter((other) => !names.includes(other))) {
          const { error } = await service.refusal(name, records[name]);
          const { permission: needed } = documents[name]!;
          const either = typeof needed === "string" ? needed : `${needed.forAll} or MANAGE_OWN_WEBHOOK_ENDPOINTS`;
          expect(error).to.equal(`This requires the permission ${either}`);
        }
      }
    });
  }

  it("find no record of another shop", async () => {
    const foreign = await new WebhookShop(server, shop.receiver).open();
    const records = await recordsOf(foreign);
    const service = await openService(shop, Object.keys(tools));
    for (const [name, args] of Object.entries(records)) {
      const { isError, structuredContent, content } = await service.client.callTool({ name, arguments: args });
      const found = structuredContent as { items: unknown[] } | undefined;
      if (isError) expect(JSON.stringify(content)).to.match(/not found/);
      else expect(found?.items, name).to.deep.equal([]);
    }
    expect((await foreign.deliveries()).map(({ status }) => status)).to.deep.equal(["FAILED"]);
  });

  it("refuse invalid arguments, and name them", async () => {
    const service = await openService(shop, Object.keys(tools));
    const refused = async (name: string, args: Record<string, unknown>) => {
      const { error, details } = await service.refusal(name, args);
      expect(error).to.equal("Validation error");
      return details.map(({ path, code }: Record<string, string>) => `${path} ${code}`);
    };
    expect(
      await refused("findOrders", { color: "red", status: "LOST", createdSince: "Friday", limit: 51, search: "\0" }),
    ).to.have.members([
      "color unknown_field",
      "status invalid_value",
      "createdSince invalid_value",
      "limit too_big",
      "search invalid_text",
    ]);
    expect(await refused("findOrders", { limit: 0 })).to.deep.equal(["limit too_small"]);
    expect(await refused("findOrders", { cursor: "no cursor" })).to.deep.equal(["cursor invalid_value"]);
    expect(await refused("findOrders", { search: "x".repeat(1_001) })).to.deep.equal(["search too_big"]);
    expect(await refused("findDeliveries", { statuses: ["FAILED", "LOST"] })).to.deep.equal([
      "statuses.1 invalid_value",
    ]);
    expect(await refused("replayDelivery", { id: newId("whd") })).to.deep.equal(["idempotencyKey required"]);
    expect(await service.refusal("getOrder", { id: "\ud800" })).to.have.property("details");
    expect(await service.refusal("getOrder", { id: newId("ord") })).to.deep.equal({ error: "Record not found" });
  });

  it("name the next page", async () => {
    for (let count = 0; count < 3; count += 1) await buildCustomer(server.em, shop.shop);
    const service = await openService(shop, ["READ_CUSTOMERS"]);
    const first = await service.call("findCustomers", { limit: 2 });
    expect(first).to.include({ total: 3 });
    const second = await service.call("findCustomers", { limit: 2, cursor: first.nextCursor });
    expect(second.nextCursor).to.equal(null);
    const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
    expect(new Set(ids)).to.have.length(3);
  });

  it("take null for what is optional, and numbers as text", async () => {
    for (let count = 0; count < 3; count += 1) await buildCustomer(server.em, shop.shop);
    const service = await openService(shop, ["READ_CUSTOMERS"]);
    const { items } = await service.call("findCustomers", { limit: "2", search: null, cursor: null });
    expect(items).to.have.length(2);
    const refusal = await service.refusal("findCustomers", { limit: "two", color: null });
    expect(refusal.details.map(({ path }: { path: string }) => path)).to.have.members(["limit", "color"]);
  });

  it("find records by their metadata", async () => {
    const metadata = { key: "erp_id", value: "7" };
    const input = { email: "sam@example.com", metadata: [metadata] };
    const { id } = await shop.run("createCustomer", { input });
    await buildCustomer(server.em, shop.shop);
    const service = await openService(shop, ["READ_CUSTOMERS"]);
    const { items, total } = await service.call("findCustomers", { metadata });
    expect(total).to.equal(1);
    expect(items[0]).to.deep.include({ id, metadata: [metadata] });
    const refusal = await service.refusal("findCustomers", { metadata: { key: "erp_id", of: "7" } });
    const paths = refusal.details.map(({ path }: { path: string }) => path);
    expect(paths).to.have.members(["metadata.value", "metadata.of"]);
  });

  it("find what changed since a time, as those of an API key do", async () => {
    await importProduct(server.em, shop.shop);
    const { id } = await importProduct(server.em, shop.shop, { updatedAt: new Date() });
    const service = await openService(shop, ["READ_PRODUCTS"]);
    const assistant = await openAssistant(server, await buildKey(server.em, shop.shop));
    const hours = (number: number) => new Date(Date.now() + number * 3_600_000).toISOString();
    const { items, total } = await service.call("findProducts", { updatedSince: hours(-1) });
    const { products, pagination } = await assistant.call("listProducts", { updatedSince: hours(-1) });
    for (const list of [items, products]) expect(list.map((row: { id: string }) => row.id)).to.deep.equal([id]);
    expect([total, pagination.total]).to.deep.equal([1, 1]);
    for (const updatedSince of [hours(25), "Friday"]) {
      const refusals = [
        await service.refusal("findProducts", { updatedSince }),
        await assistant.refusal("listProducts", { updatedSince }),
      ];
      for (const { details } of refusals)
        expect(details[0]).to.include({ path: "updatedSince", code: "invalid_value" });
    }
  });

  it("list each record once in pages of 60,000 bytes, with whole cursors", async () => {
    const ids: string[] = [];
    for (let number = 10; number < 18; number += 1) {
      const title = `${number}${"長".repeat(200)}`;
      const variants = Array.from({ length: 60 }, (_, index) => ({
        title: "大".repeat(60),
        sku: `S-${number}-${index}`,
      }));
      ids.push((await importProduct(server.em, shop.shop, { title, variants })).id);
    }
    const service = await openService(shop, ["READ_PRODUCTS"]);
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const { structuredContent, content } = await service.client.callTool({
        name: "findProducts",
        arguments: { sort: "TITLE", order: "ASC", cursor },
      });
      const { items, nextCursor, total } = structuredContent as {
        items: { id: string }[];
        nextCursor: string;
        total: number;
      };
      expect(Buffer.byteLength(JSON.stringify([structuredContent, content]))).to.be.at.most(60_000);
      const found = items.map(({ id }) => id);
      const [{ text }] = content as unknown as [{ text: string }];
      expect(JSON.parse(text)).to.deep.equal({ rows: found.length, ids: found, total, nextCursor });
      listed.push(...found);
      cursor = nextCursor;
    } while (cursor !== null);
    expect(listed).to.deep.equal(ids);
  });

  it("say which of them write, and what they reach", async () => {
    const service = await openService(shop, Object.keys(tools));
    for (const { name, annotations, description } of await service.tools()) {
      const isWrite = name.startsWith("replay");
      expect(annotations).to.deep.equal({
        readOnlyHint: !isWrite,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: isWrite,
      });
      expect(description, name).to.match(/^[A-Z].*\.$/);
    }
  });

  it("move no money, and read no secret", async () => {
    const service = await openService(shop, Object.keys(tools));
    expect(JSON.stringify(await service.tools())).not.to.match(/refundOrder|cancelOrder|recordPayment|settlePayment/);
    const { secret } = await shop.run("rotateWebhookSecret", { id: shop.endpointId, input: {} });
    await shop.setEndpoint("url = url || '?key=opensesame'");
    await shop.addFailed(1);
    const { webhookEndpoints } = await service.call("listWebhookEndpoints");
    const { items } = await service.call("listAuditLog");
    const deliveries = await service.call("findDeliveries");
    expect(items.length).to.be.greaterThan(1);
    expect(deliveries.items[0].endpoint.url).to.equal(`${shop.receiver.url}/${shop.shop.id}`);
    const seen = JSON.stringify([webhookEndpoints, items, deliveries]);
    expect(seen).not.to.contain(secret);
    expect(seen).not.to.match(/whsec_|svt_|sk_live_|digest|opensesame/);
  });
});
