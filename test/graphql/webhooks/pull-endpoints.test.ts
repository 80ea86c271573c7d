import { expect } from "chai";
import { createApp } from "../../../src/app.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import { testConfig } from "../../support/config.ts";
import { query } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { buildEndpoint } from "../../support/factories.ts";
import { askGraphql, documentOf } from "../../support/graphql.ts";
import { useMetrics } from "../../support/telemetry/scrape.ts";
import { useWorld, type Variables } from "../../support/world.ts";

interface Received {
  id: string;
  event: string;
  topic: string;
  isTest: boolean;
  createdAt: string;
  attempts: number;
}

const idsOf = (events: Received[]) => events.map(({ id }) => id);

describe("A pull endpoint", () => {
  const world = useWorld({ own: "measures the requests of all shops" });
  const { server, run, refusal, sql } = world;
  const metrics = useMetrics(server);
  let endpointId: string;

  beforeEach(async () => {
    const { id } = await run("createPullEndpoint", { input: { topics: ["product.created"], description: "ERP" } });
    endpointId = id;
  });

  const receive = (variables: Variables = {}): Promise<Received[]> =>
    run("receiveEvents", { endpointId, ...variables });
  const change = (what: string, ids: string[], more: Variables = {}) => run(what, { endpointId, ids, ...more });
  const endLeases = () =>
    sql("update outstanding_deliveries set next_attempt_at = now() where shop_id = $1 and attempted_at is not null");

  /** Creates products one after another. */
  async function createProducts(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      await run("createProduct", { input: { title: `Mug ${number}`, variants: [{ price: "1" }] } });
    }
  }

  it("has neither a URL nor a secret, and counts toward the plan's endpoints", async () => {
    const [row] = await sql("select url, paused from webhook_endpoints where shop_id = $1");
    // To release 1.0.0, it is paused.
    expect(row).to.deep.equal({ url: "https://pull.invalid/", paused: true });
    const shown = await run("webhookEndpoint", { id: endpointId });
    expect(shown).to.deep.include({ isPull: true, paused: false, description: "ERP", headerNames: [] });
    expect(await refusal("rotateWebhookSecret", { id: endpointId, input: {} })).to.deep.equal(["INVALID_STATE"]);
    const input = { url: "https://erp.example/", headers: [{ name: "X-A", value: "1" }] };
    expect(await refusal("updateWebhookEndpoint", { id: endpointId, input })).to.deep.equal([
      "VALIDATION_FAILED",
      "url: invalid_value",
      "headers: invalid_value",
    ]);
    await sql("update shops set plan = 'GROWTH' where id = $1");
    for (let count = 1; count < 3; count += 1) await run("createPullEndpoint", { input: { topics: ["order.paid"] } });
    expect(await refusal("createPullEndpoint", { input: { topics: ["order.paid"] } })).to.deep.equal(["LIMIT_REACHED"]);
  });

  it("gives each committed event, oldest first, in the bytes that webhooks sign, and adds no job", async () => {
    await createProducts(3);
    const events = await receive({ limit: 2 });
    const [stored] = await sql<{ bodies: string[] }>(
      "select array_agg(body order by created_at, id) as bodies from events where shop_id = $1",
    );
    expect(events.map(({ event }) => event)).to.deep.equal(stored!.bodies.slice(0, 2));
    expect(events[0]).to.deep.include({ topic: "product.created", isTest: false, attempts: 1 });
    expect((await receive()).map(({ event }) => event)).to.deep.equal(stored!.bodies.slice(2));
    expect(await receive()).to.deep.equal([]);
    expect(await sql("select 1 from graphile_worker.jobs where flags ? $2 and $1 <> ''", endpointId)).to.deep.equal([]);
    const { nextAttemptAt, waitsFor } = await run("webhookDelivery", { id: events[0]!.id });
    expect({ nextAttemptAt, waitsFor }).to.deep.equal({ nextAttemptAt: null, waitsFor: "RECEIVER" });
  });

  it("removes acknowledged events, keeps them in the log, and names ids that changed nothing", async () => {
    await createProducts(2);
    const [first, second] = idsOf(await receive());
    const other = (await run("createPullEndpoint", { input: { topics: ["order.paid"] } })).id;
    const foreign = await run("acknowledgeEvents", { endpointId: other, ids: [first] });
    expect(foreign).to.deep.equal({ changed: 0, unknownIds: [first] });
    const strange = newId("whd");
    const answer = { changed: 1, unknownIds: [strange, "x"] };
    expect(await change("acknowledgeEvents", [first!, first!, strange, "x"])).to.deep.equal(answer);
    expect(await change("acknowledgeEvents", [first!])).to.deep.equal({ changed: 0, unknownIds: [first] });
    expect(await run("webhookDelivery", { id: first })).to.deep.include({ status: "SUCCEEDED", attemptCount: 1 });
    await endLeases();
    expect(await change("acknowledgeEvents", [second!])).to.deep.include({ changed: 1 });
    expect(await receive()).to.deep.equal([]);
  });

  it("gives an event again when its lease ends, or when it is released, then after the others", async () => {
    await createProducts(3);
    const [first, second] = idsOf(await receive({ limit: 2 }));
    await change("releaseEvents", [second!]);
    const [third] = idsOf(await receive({ limit: 1 }));
    expect([first, second]).not.to.include(third);
    await change("releaseEvents", [third!]);
    await endLeases();
    const again = await receive({ limit: 2 });
    expect(again.map(({ id, attempts }) => [id, attempts])).to.deep.equal([
      [first, 2],
      [second, 2],
    ]);
    await change("releaseEvents", [first!, second!]);
    expect(idsOf(await receive()))
      .to.have.lengthOf(3)
      .and.to.include.members([first, second]);
    expect(await change("extendLease", [first!, newId("whd")], { leaseSeconds: 3_600 })).to.deep.include({
      changed: 1,
    });
    const [row] = await sql<{ left: number }>(
      "select extract(epoch from next_attempt_at - now())::int as left from outstanding_deliveries where shop_id = $1 and id = $2",
      first,
    );
    expect(row!.left).to.be.within(3_500, 3_600);
  });

  it("gives an event to one of many callers in two processes at a time", async () => {
    await createProducts(40);
    const { ask, stop } = await startOther();
    const given = await Promise.all(
      Array.from({ length: 10 }, () => [receive({ limit: 3 }), ask({ limit: 3 })]).flat(),
    ).finally(stop);
    const ids = [...given.flatMap(idsOf), ...idsOf(await receive({ limit: 1_000 }))];
    expect(ids).to.have.lengthOf(40);
    expect(new Set(ids).size).to.equal(40);
  });

  it("answers a waiting caller when an event commits, a lease ends or is released, or the endpoint is resumed", async () => {
    const waiting = receive({ waitSeconds: 20, leaseSeconds: 5 });
    await isWaiting();
    await createProducts(1);
    const [event] = await waiting;
    expect(event!.attempts).to.equal(1);
    const next = receive({ waitSeconds: 20 });
    await isWaiting();
    await change("releaseEvents", [event!.id]);
    expect(idsOf(await next)).to.deep.equal([event!.id]);
    await sql("update outstanding_deliveries set next_attempt_at = now() + interval '1 second' where shop_id = $1");
    expect(idsOf(await receive({ waitSeconds: 20 }))).to.deep.equal([event!.id]);
    await change("acknowledgeEvents", [event!.id]);
    await run("updateWebhookEndpoint", { id: endpointId, input: { paused: true } });
    await createProducts(1);
    const paused = receive({ waitSeconds: 20 });
    await isWaiting();
    await run("updateWebhookEndpoint", { id: endpointId, input: { paused: false } });
    expect(await paused).to.have.lengthOf(1);
    expect(await receive({ waitSeconds: 1 })).to.deep.equal([]);
  });

  it("lets twenty callers of a shop wait, without taking its places, until the server stops", async () => {
    const { app, ask, stop } = await startOther();
    const waiting = Array.from({ length: 20 }, () => ask({ waitSeconds: 20 }));
    await isWaiting(20, app);
    expect(await ask({ waitSeconds: 20 })).to.deep.equal([]);
    // More than a shop may have in flight beside twenty others.
    const others = await Promise.all(Array.from({ length: 55 }, () => ask()));
    expect(others.flat()).to.deep.equal([]);
    await createProducts(1);
    // The others wait on, because one has received the event.
    expect(await Promise.race(waiting)).to.have.lengthOf(1);
    await eventually(
      () => app.core.arrivals.waiting,
      (count) => count === 19,
    );
    await stop();
    expect((await Promise.all(waiting)).flat()).to.have.lengthOf(1);
  });

  it("refuses a waiting caller that lost its permission, its plan or its endpoint", async () => {
    const service = await world.asService("RECEIVE_EVENTS");
    const revoked = service.refusal("receiveEvents", { endpointId, waitSeconds: 20 });
    await isWaiting();
    await run("revokeServiceToken", { id: service.staff.id });
    await createProducts(1);
    expect(await revoked).to.deep.equal(["UNAUTHENTICATED"]);
    await change("acknowledgeEvents", idsOf(await receive()));
    const noPlan = refusal("receiveEvents", { endpointId, waitSeconds: 20 });
    await isWaiting();
    await sql("update shops set plan = 'NONE' where id = $1");
    await createProducts(1);
    await query(server.databaseUrl, "select pg_notify('merchant_api_arrivals', $1)", [endpointId]);
    expect(await noPlan).to.deep.equal(["PLAN_FORBIDS"]);
    await sql("update shops set plan = 'ENTERPRISE' where id = $1");
    expect(await receive()).to.deep.equal([]);
    const deleted = refusal("receiveEvents", { endpointId, waitSeconds: 20 });
    await isWaiting();
    await run("deleteWebhookEndpoint", { id: endpointId });
    expect(await deleted).to.deep.equal(["NOT_FOUND"]);
  });

  it("refuses limits out of range, and push endpoints", async () => {
    const all = { limit: 1_001, leaseSeconds: 4, waitSeconds: 21 };
    expect(await refusal("receiveEvents", { endpointId, ...all })).to.deep.equal([
      "VALIDATION_FAILED",
      "limit: too_big",
      "leaseSeconds: too_small",
      "waitSeconds: too_big",
    ]);
    expect(await refusal("acknowledgeEvents", { endpointId, ids: [] })).to.deep.equal([
      "VALIDATION_FAILED",
      "ids: too_small",
    ]);
    const { endpoint } = await buildEndpoint(server, world.shop, "https://receiver.example/");
    expect(await refusal("receiveEvents", { endpointId: endpoint.id })).to.deep.equal([
      "VALIDATION_FAILED",
      "endpointId: invalid_value",
    ]);
  });

  it("shows what waits, what is leased, and who fetched last", async () => {
    const state = async () => (await run("webhookEndpoint", { id: endpointId })).pull;
    const none = { waiting: 0, leased: 0, oldestAt: null, isBehind: false, lastFetchedAt: null };
    expect(await state()).to.deep.include({ ...none, lastFetchedBy: null, lastFetchedByName: null });
    await createProducts(3);
    await sql("update outstanding_deliveries set created_at = now() - interval '25 hours' where shop_id = $1");
    const [event] = await receive({ limit: 1 });
    const { lastFetchedAt, oldestAt, ...shown } = await state();
    const { id: lastFetchedBy, email: lastFetchedByName } = world.staff;
    expect(shown).to.deep.equal({ waiting: 2, leased: 1, isBehind: true, lastFetchedBy, lastFetchedByName });
    expect(Date.now() - Date.parse(oldestAt)).to.be.within(24 * 3_600_000, 26 * 3_600_000);
    await change("releaseEvents", [event!.id]);
    const service = await world.asService("RECEIVE_EVENTS");
    await service.run("receiveEvents", { endpointId });
    // Once a minute.
    expect(await state()).to.deep.include({ leased: 3, waiting: 0, lastFetchedAt, lastFetchedBy });
    await sql("update webhook_endpoints set last_fetched_at = now() - interval '1 minute' where shop_id = $1");
    await service.run("receiveEvents", { endpointId });
    expect(await state()).to.deep.include({ lastFetchedBy: service.staff.id, lastFetchedByName: "ERP" });
    const { endpoint } = await buildEndpoint(server, world.shop, "https://receiver.example/");
    expect(await run("webhookEndpoint", { id: endpoint.id })).to.deep.include({ pull: null, name: endpoint.url });
  });

  it("is called by its description, never by a URL", async () => {
    await run("sendTestEvent", { id: endpointId });
    const { items } = await run("auditLog");
    expect(items.map(({ targetName }: { targetName: string }) => targetName))
      .to.include("ERP")
      .and.not.include("pull");
    expect((await run("webhookEndpoint", { id: endpointId })).name).to.equal("ERP");
    await run("deleteWebhookEndpoint", { id: endpointId });
    const [deleted] = await run("deletedWebhookEndpoints");
    expect(deleted.name).to.equal("ERP");
  });

  it("does not count the wait of a caller as the time of its request", async () => {
    const times = () =>
      Promise.all([
        metrics.read("graphql_operation_duration_seconds_sum"),
        metrics.read("request_duration_seconds_sum", { route: "/graphql" }),
      ]);
    const [operations, requests] = await times();
    // Long enough to outweigh a slow machine.
    expect(await receive({ waitSeconds: 10 })).to.deep.equal([]);
    const [moreOperations, moreRequests] = await times();
    expect(moreOperations! - operations!).to.be.below(9);
    expect(moreRequests! - requests!).to.be.below(9);
  });

  it("gives test events, and what it missed without a plan once it is replayed", async () => {
    await run("sendTestEvent", { id: endpointId });
    const [test] = await receive();
    expect(test).to.deep.include({ isTest: true, topic: "product.created" });
    await change("acknowledgeEvents", [test!.id]);
    await sql("update shops set plan = 'NONE' where id = $1");
    await createProducts(1);
    await sql("update shops set plan = 'ENTERPRISE' where id = $1");
    expect(await receive()).to.deep.equal([]);
    const waiting = receive({ waitSeconds: 20 });
    await isWaiting();
    await run("replayFailedDeliveries", { endpointId, since: "2026-01-01T00:00:00Z" });
    const [event] = await waiting;
    await change("acknowledgeEvents", [event!.id]);
    const again = receive({ waitSeconds: 20 });
    await isWaiting();
    await run("replayDelivery", { id: event!.id });
    expect((await again).map(({ event: body }) => body)).to.deep.equal([event!.event]);
    expect(await sql("select 1 from graphile_worker.jobs where flags ? $2 and $1 <> ''", endpointId)).to.deep.equal([]);
  });

  /** Settles when this many callers wait. */
  async function isWaiting(count = 1, app = server.app): Promise<void> {
    await eventually(
      () => app.core.arrivals.waiting,
      (waiting) => waiting === count,
    );
  }

  /** Starts another process' API. */
  async function startOther() {
    const app = createApp(testConfig(server.databaseUrl), createLogger("silent"));
    const api = await app.startApi();
    const cookie = await world.session();
    const other = { ...server, url: `http://127.0.0.1:${api.port}` };
    const ask = async (variables: Variables = {}): Promise<Received[]> => {
      const given = { shopId: world.shop.id, endpointId, ...variables };
      const { data, errors } = await askGraphql(other, documentOf("receiveEvents"), given, cookie);
      expect(errors).to.deep.equal([]);
      return data.receiveEvents;
    };
    return { app, ask, stop: () => api.stop().then(app.close) };
  }
});
