import { expect } from "chai";
import { asOperator } from "../../../src/core/access/operation.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { recordEvent } from "../../../src/core/webhooks/events/record-event.sql.ts";
import { eventually } from "../../support/eventually.ts";
import { useReceiver } from "../../support/webhooks/receiver.ts";
import { openWorld, useWorld, type Variables } from "../../support/world.ts";

const OTHERS = ["product.created", "order.updated", "order.paid"];

describe("The filters of an endpoint", () => {
  const world = useWorld({ worker: true });
  const { server, shop, run, refusal, sql, call, audited } = world;
  const receiver = useReceiver();

  /** A push endpoint that subscribes to changes of products, and what the input says. */
  const create = async (input: Variables = {}) => {
    const request = { url: `${receiver.url}/${newId("whe")}`, topics: ["product.updated", ...OTHERS], ...input };
    return (await run("createWebhookEndpoint", { input: request })).endpoint;
  };
  const update = (id: string, input: Variables) => run("updateWebhookEndpoint", { id, input });
  const createProduct = () =>
    run("createProduct", { input: { title: "Mug", variants: [{ price: "1", inventoryQuantity: 500 }] } });
  /** The events delivered to an endpoint, in order, with their changed fields. */
  const delivered = async (id: string) => {
    const rows = await sql<{ topic: string; changed: string[] | null }>(
      `select events.topic, changed from deliveries join events on events.shop_id = $1 and events.id = event_id
       where deliveries.shop_id = $1 and endpoint_id = $2 order by events.id`,
      id,
    );
    return rows.map(({ topic, changed }) => [topic, ...(changed ?? [])].join(" "));
  };
  const createKey = async (): Promise<{ id: string; secret: string }> => {
    const input = { name: "ERP", scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"] };
    const { apiKey, secret } = await run("createApiKey", { input });
    return { id: apiKey.id, secret };
  };
  const createWith = async (secret: string) => {
    const body = { title: "Cup", price: 1 };
    expect((await call("POST", "/products", { key: secret, body })).status).to.equal(201);
  };

  it("deliver events that changed an asked field, and all events of other topics", async () => {
    const { id, variants } = await createProduct();
    const titles = await create({ fields: ["product.updated.title"] });
    const prices = await create({
      fields: ["product.updated.sku", "product.updated.price"],
      topics: ["product.updated"],
    });
    const all = await create();
    await run("updateProduct", { id, input: { title: "Jug", status: "DRAFT" } });
    await run("updateVariant", { id: variants[0].id, input: { price: "2" } });
    await run("updateVariant", { id: variants[0].id, input: { barcode: "123" } });
    await createProduct();
    expect(await delivered(titles.id)).to.deep.equal(["product.updated title status", "product.created"]);
    expect(await delivered(prices.id)).to.deep.equal(["product.updated price"]);
    expect(await delivered(all.id)).to.have.length(4);
    await update(prices.id, { fields: [] });
    await run("updateProduct", { id, input: { title: "Mug" } });
    expect(await delivered(prices.id)).to.have.length(2);
  });

  it("leave out sales for an endpoint that asks for titles", async () => {
    const { id, variants } = await createProduct();
    const endpoint = await create({ topics: ["product.updated"], fields: ["product.updated.title"] });
    const input = { channel: "POS", lines: [{ variantId: variants[0].id, quantity: 1 }] };
    for (let sale = 0; sale < 200; sale += 1) await run("createOrder", { input });
    expect(await delivered(endpoint.id)).to.deep.equal([]);
    await run("updateProduct", { id, input: { title: "Jug" } });
    expect(await delivered(endpoint.id)).to.deep.equal(["product.updated title"]);
  });

  it("deliver events whose changed fields and actor are unknown", async () => {
    const { id } = await createProduct();
    const endpoint = await create({ fields: ["product.updated.title"], ignoredActorIds: [world.staff.id] });
    const data = { productId: id, handle: "mug", version: 2 };
    await recordEvent(asOperator(server.em, shop.id), { topic: "product.updated", data, createdAt: new Date() });
    expect(await delivered(endpoint.id)).to.deep.equal(["product.updated"]);
  });

  it("are sent in headers, which a replay repeats, and by receiveEvents", async () => {
    const { id } = await createProduct();
    const { url } = await create({ topics: ["product.updated"] });
    const received = () => receiver.received.filter(({ path }) => url.endsWith(path));
    const pull = await run("createPullEndpoint", { input: { topics: ["product.updated", "product.created"] } });
    await run("updateProduct", { id, input: { title: "Jug", status: "DRAFT" } });
    const [delivery] = await eventually(received, (all) => all.length === 1);
    const told = { "x-webhook-changed": "title,status", "x-webhook-actor": world.staff.id };
    expect(delivery!.headers).to.include(told);
    const body = JSON.parse(delivery!.body.toString());
    expect(Object.keys(body).join()).to.equal("id,topic,shopId,createdAt,data");
    const { items } = await eventually(
      () => run("webhookDeliveries", { statuses: ["SUCCEEDED"] }),
      (page) => page.items.length === 1,
    );
    const { attempts } = await run("webhookDelivery", { id: items[0].id });
    for (const [name, value] of Object.entries(told)) {
      expect(attempts[0].requestHeaders).to.deep.include({ name, value });
    }
    await run("replayDelivery", { id: items[0].id });
    const [, replayed] = await eventually(received, (all) => all.length === 2);
    expect(replayed!.headers).to.include(told);
    await createWith(await world.key());
    const events = await run("receiveEvents", { endpointId: pull.id });
    const [key] = await sql<{ id: string }>("select id from api_keys where shop_id = $1");
    expect(events.map(({ changed, actorId }: Variables) => [changed, actorId])).to.deep.equal([
      [["title", "status"], world.staff.id],
      [null, key!.id],
    ]);
  });

  it("leave out changes by a key, and by the keys that replace it", async () => {
    const own = await createKey();
    const other = await createKey();
    const endpoint = await create({ ignoredActorIds: [own.id] });
    await createWith(own.secret);
    await createWith(other.secret);
    expect(await delivered(endpoint.id)).to.have.length(1);
    let { id } = own;
    for (let rotation = 0; rotation < 3; rotation += 1) {
      const { apiKey, secret } = await run("rotateApiKey", { id, input: { overlapHours: 24 } });
      await createWith(secret);
      const { ignoredActorIds } = await run("webhookEndpoint", { id: endpoint.id });
      expect(ignoredActorIds.toSorted()).to.deep.equal([id, apiKey.id].toSorted());
      await run("revokeApiKey", { id });
      id = apiKey.id;
    }
    expect(await delivered(endpoint.id)).to.have.length(1);
  });

  it("leave out both keys of an overlap if one is named", async () => {
    const { id, secret } = await createKey();
    const { apiKey } = await run("rotateApiKey", { id, input: {} });
    for (const named of [id, apiKey.id]) {
      const { ignoredActorIds } = await create({ ignoredActorIds: [named, named] });
      expect(ignoredActorIds).to.deep.equal([id, apiKey.id].toSorted());
    }
    await createWith(secret);
    expect(await sql("select from deliveries where shop_id = $1")).to.deep.equal([]);
  });

  it("leave out changes by staff and by service tokens", async () => {
    const service = await world.asService("WRITE_PRODUCTS", "READ_PRODUCTS");
    const endpoint = await create({ ignoredActorIds: [world.staff.id, service.staff.id] });
    await createProduct();
    await service.run("createProduct", { input: { title: "Cup", variants: [{ price: "1" }] } });
    expect(await delivered(endpoint.id)).to.deep.equal([]);
    await createWith(await world.key());
    expect(await delivered(endpoint.id)).to.have.length(1);
  });

  it("are refused with the path of each mistake, and then change nothing", async () => {
    const foreign = await openWorld(server);
    const { apiKey: foreignKey } = await foreign.run("createApiKey", {
      input: { name: "ERP", scopes: ["READ_PRODUCTS"] },
    });
    const revoked = await createKey();
    await run("revokeApiKey", { id: revoked.id });
    const { id } = await create({ fields: ["product.updated.title"] });
    const before = await sql("select * from webhook_endpoints where shop_id = $1");
    const topics = ["product.updated"];
    for (const [input, ...issues] of [
      [{ topics, fields: ["product.updated.title", "product.updated.weight"] }, "fields.1: invalid_value"],
      [{ topics, fields: ["product.updated.email", "title"] }, "fields.0: invalid_value", "fields.1: invalid_value"],
      [{ topics, fields: ["customer.updated.email"] }, "fields.0: invalid_value"],
      [{ topics, fields: ["order.paid.totalAmount"] }, "fields.0: invalid_value"],
      [
        { topics, ignoredActorIds: [world.staff.id, foreignKey.id, revoked.id, foreign.staff.id, newId("svc"), "\0"] },
        ...[1, 2, 3, 4, 5].map((index) => `ignoredActorIds.${index}: not_found`),
      ],
      [{ topics, ignoredActorIds: Array.from({ length: 51 }, () => world.staff.id) }, "ignoredActorIds: too_big"],
    ] as [Variables, ...string[]][]) {
      const answers = [
        await refusal("updateWebhookEndpoint", { id, input }),
        await refusal("createPullEndpoint", { input }),
        await refusal("createWebhookEndpoint", { input: { ...input, url: "https://receiver.example/" } }),
      ];
      for (const answer of answers) expect(answer).to.deep.equal(["VALIDATION_FAILED", ...issues]);
    }
    expect(await sql("select * from webhook_endpoints where shop_id = $1")).to.deep.equal(before);
  });

  it("keep a revoked key, lose the fields of topics that are left, and are audited", async () => {
    const key = await createKey();
    const { id } = await create({
      fields: ["order.updated.notes", "product.updated.title"],
      ignoredActorIds: [key.id],
    });
    await run("revokeApiKey", { id: key.id });
    const changed = await update(id, { topics: ["product.updated"], ignoredActorIds: [key.id, world.staff.id] });
    expect(changed).to.deep.include({
      fields: ["product.updated.title"],
      ignoredActorIds: [key.id, world.staff.id],
      ignoredActorNames: ["ERP", world.staff.email],
    });
    const entries = (await audited()).filter(([action]) => action.startsWith("WEBHOOK_ENDPOINT"));
    expect(entries.map(([, details]) => details)).to.deep.equal([
      {
        topics: ["order.updated", "order.paid", "product.created", "product.updated"].join(", "),
        onlyFields: "order.updated.notes, product.updated.title",
        ignoredActorIds: key.id,
      },
      {
        oldTopics: ["order.updated", "order.paid", "product.created", "product.updated"].join(", "),
        topics: "product.updated",
        oldOnlyFields: "order.updated.notes, product.updated.title",
        onlyFields: "product.updated.title",
        oldIgnoredActorIds: key.id,
        ignoredActorIds: [key.id, world.staff.id].toSorted().join(", "),
      },
    ]);
  });
});
