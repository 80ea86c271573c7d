import { expect } from "chai";
import pg from "pg";
import { newId } from "../../../src/core/model/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { lockWaits } from "../../support/postgres/lock-waits.ts";
import { useWorld, type Variables, type World } from "../../support/world.ts";

const OWN = "MANAGE_OWN_WEBHOOK_ENDPOINTS";
const ENDPOINT = { url: "https://erp.example/hooks?key=1", topics: ["product.created"] };

describe("The endpoints of a service token", () => {
  const world = useWorld();
  const { run, sql } = world;
  let service: World;

  beforeEach(async () => {
    service = await world.asService(OWN, "READ_PRODUCTS");
  });

  const createPull = async (as: World, more: Variables = {}): Promise<string> =>
    (await as.run("createPullEndpoint", { input: { topics: ["product.created"] }, ...more })).id;
  const addProduct = () => run("createProduct", { input: { title: "Mug", variants: [{ price: "1" }] } });
  const deliveries = async (as: World, filter: Variables = {}): Promise<{ id: string; eventId: string }[]> =>
    (await as.run("webhookDeliveries", { limit: 50, ...filter })).items;
  const rowsOf = (table: string) => sql(`select * from ${table} where shop_id = $1 order by 1, 2`);

  it("are managed by it, from the first to the last event", async () => {
    const { endpoint, secret } = await service.run("createWebhookEndpoint", { input: ENDPOINT });
    expect(endpoint).to.deep.include({ ...ENDPOINT, createdByName: "ERP", serviceTokenStatus: "ACTIVE" });
    expect(endpoint.serviceTokenId).to.equal(service.staff.id);
    const pullId = await createPull(service);
    await addProduct();
    const [event] = await service.run("receiveEvents", { endpointId: pullId, limit: 1, leaseSeconds: 60 });
    expect(await service.run("acknowledgeEvents", { endpointId: pullId, ids: [event.id] })).to.include({ changed: 1 });
    const { id } = endpoint;
    expect((await service.run("updateWebhookEndpoint", { id, input: { paused: true } })).paused).to.equal(true);
    expect((await service.run("rotateWebhookSecret", { id, input: { overlapHours: 0 } })).secret).not.to.equal(secret);
    await service.run("activateWebhookSecret", { id });
    expect(await service.run("sendTestEvent", { id })).to.include({ isTest: true });
    await sql("update outstanding_deliveries set status = 'FAILED' where shop_id = $1 and not is_test");
    const since = "2026-01-31T09:30:00.000Z";
    expect(await service.run("replayFailedDeliveries", { endpointId: id, since })).to.include({ replayed: 1 });
    const [, first] = await deliveries(service, { endpointId: id });
    expect(await service.run("replayDelivery", { id: first!.id })).to.include({ status: "PENDING" });
    expect(await service.run("webhookDelivery", { id: first!.id })).to.include({ id: first!.id });
    expect(await deliveries(service)).to.have.length(3);
    expect(await service.run("deleteWebhookEndpoint", { id })).to.equal(true);
    expect(await service.run("webhookEndpoints")).to.have.length(1);
    const actors = await sql<{ actor_id: string }>(
      "select distinct actor_id from audit_entries where shop_id = $1 and action like 'WEBHOOK%'",
    );
    expect(actors).to.deep.equal([{ actor_id: service.staff.id }]);
  });

  it("are unknown to another token of the shop, as those of staff are", async () => {
    const other = await world.asService(OWN, "READ_PRODUCTS");
    for (const owner of [world, service]) {
      const endpointId = await createPull(owner);
      await addProduct();
      const [{ id: deliveryId, eventId }] = (await deliveries(world, { endpointId })) as [
        { id: string; eventId: string },
      ];
      const before = await Promise.all(["webhook_endpoints", "outstanding_deliveries", "audit_entries"].map(rowsOf));
      const since = "2026-01-31T09:30:00.000Z";
      const calls: [name: string, known: Variables, unknown: Variables, more?: Variables][] = [
        ...["activateWebhookSecret", "sendTestEvent", "checkReceiver", "deleteWebhookEndpoint", "webhookEndpoint"].map(
          (name): [string, Variables, Variables] => [name, { id: endpointId }, { id: newId("whe") }],
        ),
        ["updateWebhookEndpoint", { id: endpointId }, { id: newId("whe") }, { input: { paused: true } }],
        ["rotateWebhookSecret", { id: endpointId }, { id: newId("whe") }, { input: {} }],
        ["replayFailedDeliveries", { endpointId }, { endpointId: newId("whe") }, { since }],
        ["receiveEvents", { endpointId }, { endpointId: newId("whe") }],
        ["acknowledgeEvents", { endpointId }, { endpointId: newId("whe") }, { ids: [deliveryId] }],
        ["extendLease", { endpointId }, { endpointId: newId("whe") }, { ids: [deliveryId], leaseSeconds: 60 }],
        ["releaseEvents", { endpointId }, { endpointId: newId("whe") }, { ids: [deliveryId] }],
        ["replayDelivery", { id: deliveryId }, { id: newId("whd") }],
        ["webhookDelivery", { id: deliveryId }, { id: newId("whd") }],
        ["webhookDeliveries", { eventId }, { eventId: newId("evt") }],
        ["webhookDeliveries", { endpointId }, { endpointId: newId("whe") }],
      ];
      for (const [name, known, unknown, more] of calls) {
        const [{ data, errors }, expected] = (await Promise.all(
          [known, unknown].map((variables) => other.send(name, { limit: 50, ...variables, ...more })),
        )) as [Awaited<ReturnType<World["send"]>>, Awaited<ReturnType<World["send"]>>];
        expect({ data, errors }, name).to.deep.equal({ data: expected.data, errors: expected.errors });
      }
      expect(await other.run("webhookEndpoints")).to.deep.equal([]);
      expect(await deliveries(other)).to.deep.equal([]);
      const after = await Promise.all(["webhook_endpoints", "outstanding_deliveries", "audit_entries"].map(rowsOf));
      expect(after).to.deep.equal(before);
    }
  });

  it("have topics, fields and explanations of records that the token may read", async () => {
    const input = { topics: ["product.updated", "order.updated"], fields: ["order.updated.items"] };
    const refused = ["VALIDATION_FAILED", "topics.1: forbidden", "fields.0: forbidden"];
    const id = await createPull(service);
    const before = await rowsOf("webhook_endpoints");
    expect(await service.refusal("createPullEndpoint", { input })).to.deep.equal(refused);
    expect(await service.refusal("updateWebhookEndpoint", { id, input })).to.deep.equal(refused);
    expect(await rowsOf("webhook_endpoints")).to.deep.equal(before);
    const customer = await run("createCustomer", { input: { email: "ada@example.com" } });
    const explain = `query ($shopId: ID!, $id: ID!, $recordId: ID!) {
      shop(id: $shopId) { webhookEndpoint(id: $id) { explain(recordId: $recordId) { topic } } } }`;
    const { errors } = await service.ask(explain, { id, recordId: customer.id });
    expect(errors.map(({ message }) => message)).to.deep.equal(["This requires the permission READ_CUSTOMERS"]);
    const { id: recordId } = await addProduct();
    const { data } = await service.ask(explain, { id, recordId });
    expect(data.shop.webhookEndpoint.explain).to.deep.equal([{ topic: "product.created" }]);
  });

  it("are created once for an idempotency key, whose replay has no secret", async () => {
    const send = (value: string) => ({
      input: { ...ENDPOINT, headers: [{ name: "authorization", value }] },
      idempotencyKey: "erp/1",
    });
    const variables = send("Basic a2V5");
    const first = await service.run("createWebhookEndpoint", variables);
    const { data, extensions } = await service.send("createWebhookEndpoint", variables);
    expect(data.createWebhookEndpoint).to.deep.equal({ ...first, secret: "" });
    expect(extensions.idempotentReplays).to.deep.equal([["createWebhookEndpoint"]]);
    const pull = { idempotencyKey: "erp/2" };
    expect(await createPull(service, pull)).to.equal(await createPull(service, pull));
    expect(await service.run("webhookEndpoints")).to.have.length(2);
    const stored = await sql("select result from idempotency_keys where shop_id = $1 and key = 'erp/1'");
    expect(stored).to.deep.equal([{ result: first.endpoint.id }]);
    const refused = ["VALIDATION_FAILED", ": idempotency_key_reused"];
    expect(await service.refusal("createWebhookEndpoint", send("Basic b3RoZXI="))).to.deep.equal(refused);
    const other = await world.asService(OWN, "READ_PRODUCTS");
    expect((await other.run("createWebhookEndpoint", variables)).secret).to.match(/^whsec_/);
    await run("takeOverWebhookEndpoint", { id: first.endpoint.id });
    expect(await service.refusal("createWebhookEndpoint", variables)).to.deep.equal(["NOT_FOUND"]);
  });

  it("go on after its revocation, until staff take them over or delete them", async () => {
    const id = await createPull(service);
    await run("revokeServiceToken", { id: service.staff.id });
    const ofToken = { serviceTokenId: service.staff.id, serviceTokenStatus: "REVOKED", paused: false };
    expect(await run("webhookEndpoint", { id })).to.deep.include(ofToken);
    await addProduct();
    expect(await deliveries(world, { endpointId: id })).to.have.length(1);
    for (const _ of [1, 2]) {
      const taken = await run("takeOverWebhookEndpoint", { id });
      expect(taken).to.deep.include({ id, serviceTokenId: null, serviceTokenStatus: null });
    }
    expect((await world.audited()).slice(-1)).to.deep.equal([
      ["WEBHOOK_ENDPOINT_UPDATED", { oldServiceToken: "ERP", serviceToken: "" }],
    ]);
  });

  it("keep their statistics when staff take them over while the token deletes them", async () => {
    const id = await createPull(service);
    await sql(
      `insert into hourly_attempts (shop_id, endpoint_id, hour, attempts, failures, durations)
      values ($1, $2, date_trunc('hour', now()), 1, 0, '{1}')`,
      id,
    );
    const rival = new pg.Client(world.server.databaseUrl);
    await rival.connect();
    await rival.query("begin");
    await rival.query("select 1 from webhook_endpoints where id = $1 for update", [id]);
    const answers: Promise<unknown>[] = [];
    for (const [who, name] of [
      [world, "takeOverWebhookEndpoint"],
      [service, "deleteWebhookEndpoint"],
    ] as const) {
      answers.push(who.run(name, { id }));
      const waits = () => lockWaits(world.server.databaseUrl);
      await eventually(waits, (count) => count === answers.length);
    }
    await rival.query("commit");
    await rival.end();
    expect((await Promise.all(answers))[1]).to.equal(false);
    expect(await sql("select from hourly_attempts where shop_id = $1")).to.have.length(1);
  });

  it("are not all that a token sees with the permission for all", async () => {
    const id = await createPull(world);
    await addProduct();
    const [delivery] = (await deliveries(world)) as [{ id: string; eventId: string }];
    const reader = await world.asService(OWN, "READ_LOGS");
    expect(await reader.run("webhookEndpoints")).to.have.length(1);
    expect(await reader.run("webhookDelivery", { id: delivery.id })).to.include({ id: delivery.id });
    expect(await reader.refusal("updateWebhookEndpoint", { id, input: {} })).to.deep.equal(["NOT_FOUND"]);
    expect(await reader.refusal("replayDelivery", { id: delivery.id })).to.deep.equal(["NOT_FOUND"]);
    const replayer = await world.asService(OWN, "REPLAY_DELIVERIES");
    expect(await replayer.refusal("replayDelivery", { id: delivery.id })).to.deep.equal(["NOT_FOUND"]);
    const replay = "mutation ($shopId: ID!, $id: ID!) { replayDelivery(shopId: $shopId, id: $id) { id } }";
    expect((await replayer.ask(replay, delivery)).errors).to.deep.equal([]);
  });
});
