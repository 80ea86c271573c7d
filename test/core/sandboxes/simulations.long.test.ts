import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { SimulatedOrderState } from "../../../src/core/sandboxes/simulations.ts";
import { topicNames } from "../../../src/core/model/webhooks/topics.ts";
import { call } from "../../support/client.ts";
import { eventually } from "../../support/eventually.ts";
import { buildEndpoint, buildProduct } from "../../support/factories.ts";
import { readShopRows } from "../../support/postgres/shop-rows.ts";
import { useServer } from "../../support/server.ts";
import { eventsSince } from "../../support/webhooks/events.ts";
import { useWorld, World } from "../../support/world.ts";

/** What a new order of each state is, has been paid with, and has emitted. */
const orders: Record<SimulatedOrderState, string> = {
  UNPAID: "CONFIRMED UNPAID UNFULFILLED, created",
  AUTHORIZED_AND_PENDING: "CONFIRMED UNPAID UNFULFILLED AUTHORIZED PENDING, created",
  PAYMENT_FAILED: "CONFIRMED UNPAID UNFULFILLED FAILED, created updated",
  PARTIALLY_PAID: "CONFIRMED PARTIALLY_PAID UNFULFILLED CAPTURED, created",
  PAID: "CONFIRMED PAID UNFULFILLED CAPTURED, created paid",
  FULFILLED: "CONFIRMED PAID FULFILLED CAPTURED, created paid updated",
  PARTIALLY_REFUNDED: "CONFIRMED PARTIALLY_REFUNDED UNFULFILLED CAPTURED, created paid refunded",
  REFUNDED: "REFUNDED REFUNDED UNFULFILLED CAPTURED, created paid refunded",
  CANCELLED: "CANCELLED VOIDED UNFULFILLED VOIDED, created cancelled",
  LATE_CAPTURE: "CANCELLED PAID UNFULFILLED CAPTURED overpaid, created cancelled updated",
};

describe("Simulations", function () {
  this.timeout(60_000);
  const world = useWorld({ own: "a second process has its database" });
  const { server, shop, run, refusal, sql } = world;
  beforeEach("make the shop a sandbox", async () => {
    await sql(
      "update shops set sandbox_of = 'shop_live', sandbox_state = 'READY', sandbox_used_at = now() where id = $1",
    );
  });

  const topicsOf = async () => (await eventsSince(server, shop)).map(({ topic }) => topic);

  it("create an order in each state, with its events", async () => {
    await buildProduct(server.em, shop, { price: "19.90", inventoryQuantity: 100 });
    await eventsSince(server, shop);
    const made: Record<string, string> = {};
    for (const state of Object.keys(orders)) {
      const { status, paymentStatus, fulfillmentStatus, payments, overpaidAmount } = await run("simulateOrder", {
        state,
      });
      const paid = payments.map((payment: { status: string }) => payment.status).toSorted();
      const what = [
        status,
        paymentStatus,
        fulfillmentStatus,
        ...paid,
        ...(overpaidAmount === "0.00" ? [] : ["overpaid"]),
      ];
      const topics = (await topicsOf()).filter((topic) => topic.startsWith("order."));
      made[state] = `${what.join(" ")}, ${topics.map((topic) => topic.slice("order.".length)).join(" ")}`;
    }
    expect(made).to.deep.equal(orders);
  });

  it("cause every topic by a change of a new record, or of the given one", async () => {
    await buildProduct(server.em, shop, { price: "19.90", inventoryQuantity: 100 });
    await buildEndpoint(server, shop, "https://receiver.example/hooks", [...topicNames]);
    const ids: Record<string, string> = {};
    for (const topic of topicNames) {
      const { id, data } = JSON.parse(await run("simulateEvent", { topic }));
      ids[topic] = (Object.values(data) as string[])[0]!;
      expect(
        await sql("select from deliveries where shop_id = $1 and event_id = $2 and not is_test", id),
      ).to.have.length(1);
    }
    expect((await topicsOf()).toSorted()).to.include.members([...topicNames]);
    const change = async (topic: string, recordId = ids[topic]!) => {
      const { data } = JSON.parse(await run("simulateEvent", { topic, recordId }));
      return [
        data.version,
        ...(await sql("select version from orders where shop_id = $1 and id = $2", recordId)).map(
          ({ version }) => version,
        ),
      ];
    };
    expect(await change("order.paid", ids["order.created"])).to.deep.equal([2, 2]);
    expect(await change("order.refunded", ids["order.created"])).to.deep.equal([3, 3]);
    expect(await change("customer.updated", ids["customer.created"])).to.deep.equal([2]);
    await topicsOf();
    // Their states do not allow a change.
    expect(await change("order.paid", ids["order.created"])).to.deep.equal([3, 3]);
    expect(await change("order.cancelled")).to.deep.equal([2, 2]);
    expect(await change("order.created", ids["order.cancelled"])).to.deep.equal([undefined, 2]);
    expect(await topicsOf()).to.deep.equal(["order.paid", "order.cancelled", "order.created"]);
  });

  describe("in two processes", () => {
    const other = useServer({
      openDatabase: async () => ({ url: server.databaseUrl, drop: () => Promise.resolve() }),
    });

    it("let the next requests of a key fail once each, and keep the changes of lost responses", async () => {
      const { apiKey, secret: key } = await run("createApiKey", { input: { name: "ERP", scopes: ["WRITE_PRODUCTS"] } });
      const create = async (title: string, { url } = server) => {
        const options = { key, headers: { "idempotency-key": title }, body: { title, price: 1 } };
        const answer = await call({ url }, "POST", `/${shop.id}/products`, options).catch(() => undefined);
        return (
          answer && {
            status: answer.status,
            isReplay: answer.headers.has("idempotent-replayed"),
            headers: answer.headers,
          }
        );
      };
      const fail = async (count: number, kind: string) => {
        const { failuresLeft } = await run("simulateFailures", { keyId: apiKey.id, count, kind });
        expect(failuresLeft).to.equal(count);
        await wait(1_000);
      };
      const titles = async () =>
        (await sql("select title from products where shop_id = $1 order by title")).map(({ title }) => title);
      await Promise.all([create("A"), create("A", other)]);
      await fail(7, "UNAVAILABLE");
      const many = await Promise.all(
        Array.from({ length: 20 }, (_, index) => create(`B${index}`, index % 2 ? server : other)),
      );
      const refused = many.filter((answer) => answer!.status === 503);
      expect(refused.map((answer) => answer!.headers.get("retry-after"))).to.deep.equal(
        Array.from({ length: 7 }, () => "1"),
      );
      expect(await titles()).to.have.length(14);
      await eventually(
        () => sql("select from api_requests where shop_id = $1 and status = 503"),
        (logged) => logged.length === 7,
        30_000,
      );
      await fail(2, "CONNECTION_CLOSED");
      expect(await Promise.all([create("C"), create("D", other)])).to.deep.equal([undefined, undefined]);
      await fail(1, "TIMEOUT");
      expect(await create("E")).to.equal(undefined);
      for (const title of ["C", "D", "E"]) expect(await create(title)).to.include({ status: 201, isReplay: true });
      expect((await titles()).slice(-3)).to.deep.equal(["C", "D", "E"]);
      await fail(1_000, "UNAVAILABLE");
      await fail(0, "UNAVAILABLE");
      expect(await create("F", other)).to.include({ status: 201, isReplay: false });
    });
  });

  it("refuse bad input, and change nothing", async () => {
    const elsewhere = await new World(server).open();
    const foreign = await elsewhere.run("createProduct", { input: { title: "Mug", variants: [{ price: "1" }] } });
    const { apiKey } = await run("createApiKey", { input: { name: "ERP", scopes: ["READ_PRODUCTS"] } });
    const { apiKey: foreignKey } = await elsewhere.run("createApiKey", {
      input: { name: "ERP", scopes: ["READ_PRODUCTS"] },
    });
    const before = await readShopRows(server, shop);
    const failures = { keyId: apiKey.id, count: 1, kind: "TIMEOUT" };
    expect(await refusal("simulateFailures", { ...failures, count: 1_001 })).to.deep.equal([
      "VALIDATION_FAILED",
      "count: too_big",
    ]);
    expect(await refusal("simulateFailures", { ...failures, count: -1 })).to.deep.equal([
      "VALIDATION_FAILED",
      "count: too_small",
    ]);
    expect(await refusal("simulateFailures", { ...failures, keyId: foreignKey.id })).to.deep.equal(["NOT_FOUND"]);
    expect(await refusal("simulateEvent", { topic: "order.eaten" })).to.deep.equal([
      "VALIDATION_FAILED",
      "topic: invalid_value",
    ]);
    for (const recordId of [foreign.id, apiKey.id, "\0"]) {
      expect(await refusal("simulateEvent", { topic: "product.updated", recordId })).to.deep.equal([
        "VALIDATION_FAILED",
        "recordId: not_found",
      ]);
    }
    expect((await world.send("simulateOrder", { state: "EATEN" })).errors[0]!.message).to.include(
      "SimulatedOrderState",
    );
    expect((await world.send("simulateOrder", { state: "PAID" })).errors[0]!.message).to.equal(
      "The sandbox has no active product in stock that costs more than 1 EUR",
    );
    expect(await readShopRows(server, shop)).to.deep.equal(before);
  });

  it("are refused by a shop that sells, in one sentence, and nothing changes there", async () => {
    await sql("update shops set sandbox_of = null, sandbox_state = null where id = $1");
    await buildProduct(server.em, shop, { price: "19.90", inventoryQuantity: 100 });
    const { apiKey } = await run("createApiKey", { input: { name: "ERP", scopes: ["READ_PRODUCTS"] } });
    const before = await readShopRows(server, shop);
    for (const [name, variables] of Object.entries({
      simulateOrder: { state: "PAID" },
      simulateEvent: { topic: "order.paid" },
      simulateFailures: { keyId: apiKey.id, count: 1, kind: "UNAVAILABLE" },
    })) {
      const { errors } = await world.send(name, variables);
      expect([errors[0]?.extensions.code, errors[0]?.message]).to.deep.equal([
        "INVALID_STATE",
        "Only a sandbox accepts simulations",
      ]);
    }
    expect(await readShopRows(server, shop)).to.deep.equal(before);
  });
});
