import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { sampleData } from "../../src/core/webhooks/events/test-events.ts";
import { topicNames, topics } from "../../src/core/model/webhooks/topics.ts";
import { isId, newId } from "../../src/core/model/ids.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint } from "../support/factories.ts";
import type { GraphqlAnswer } from "../support/graphql.ts";
import { openWorld } from "../support/world.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

describe("A test event", () => {
  const shop = useWebhookShop({ worker: true });
  const { server, receiver } = shop;

  /** The outcome of the test, which is never undecided. */
  const outcome = (id: string) =>
    eventually(
      () => shop.delivery(id),
      ({ status }) => status !== "PENDING",
    );

  it("is sent with X-Webhook-Test, signed as usual, and its result can be queried", async () => {
    const { endpoint, secret } = await buildEndpoint(server, shop.shop, `${receiver.url}/signed`);
    shop.endpointId = endpoint.id;
    const release = receiver.hold();
    const sent = await shop.sendTest();
    expect(sent).to.deep.include({ topic: "product.created", status: "PENDING", isTest: true, attemptCount: 0 });
    expect(sent.nextAttemptAt).to.equal(null);
    release();
    expect(await outcome(sent.id)).to.include({ status: "SUCCEEDED", attempts: 1, response_status: 204 });
    expect(receiver.received).to.have.length(1);
    const [{ headers, body, path }] = receiver.received as [(typeof receiver.received)[0]];
    expect(path).to.equal("/signed");
    expect(headers).to.include({ "x-webhook-test": "true", "x-webhook-topic": "product.created" });
    expect(headers["webhook-id"]).to.equal(sent.eventId);
    expect(body.toString()).to.equal(sent.body);
    expect(() => new Webhook(secret).verify(body.toString(), headers as Record<string, string>)).not.to.throw();
    const shown = await shop.run("webhookDelivery", { id: sent.id });
    expect(shown).to.include({ isTest: true, status: "SUCCEEDED" });
    expect(shown.attempts).to.have.length(1);
    expect(shown.attempts[0]).to.include({ responseStatus: 204, isProbe: false });
  });

  it("is marked, unlike real events", async () => {
    await shop.change(1);
    await eventually(
      () => receiver.received,
      (all) => all.length === 1,
    );
    expect(receiver.received[0]!.headers).not.to.have.property("x-webhook-test");
    expect((await shop.deliveries())[0]!.is_test).to.equal(false);
  });

  for (const topic of topicNames) {
    it(`can have the topic ${topic}, subscribed or not, with its data`, async () => {
      const sent = await shop.sendTest(topic);
      await outcome(sent.id);
      const body = JSON.parse(receiver.received[0]!.body.toString());
      expect(Object.keys(body)).to.deep.equal(["id", "topic", "shopId", "createdAt", "data"]);
      expect(body).to.include({ id: sent.eventId, topic, shopId: shop.shop.id });
      expect(body.data).to.deep.equal(topics[topic].data.parse(body.data));
      expect(receiver.received[0]!.headers["x-webhook-topic"]).to.equal(topic);
    });

    it(`of ${topic} has identifiers of the right type that match no record`, () => {
      const [one, other] = [sampleData(topic, shop.shop), sampleData(topic, shop.shop)] as Record<string, string>[];
      const prefixes: Record<string, string> = {
        orderId: "ord",
        refundId: "ref",
        productId: "prod",
        customerId: "cus",
      };
      const ids = Object.keys(one!).filter((name) => name in prefixes);
      expect(ids).not.to.deep.equal([]);
      for (const name of ids) {
        expect(one![name]!.split("_")[0]).to.equal(prefixes[name]);
        expect(isId(one![name]!)).to.equal(true);
        expect(one![name]).not.to.equal(other![name]);
      }
      expect(() => topics[topic].data.parse(one)).not.to.throw();
    });
  }

  for (const [state, assignments] of Object.entries({
    paused: "paused = true",
    failing: "consecutive_failures = 3, failing_since = now()",
    suspended:
      "consecutive_failures = 12, failing_since = now(), failing_topics = '{\"product.created\": 12}', probe_at = now() + interval '10 minutes'",
    disabled: "disabled_at = now(), disabled_reason = 'FAILING', consecutive_failures = 99, failing_since = now()",
    "paused and disabled": "paused = true, disabled_at = now(), disabled_reason = 'GONE'",
  })) {
    it(`reaches an endpoint that is ${state}, which is then healthy, and paused if it was`, async () => {
      await shop.setEndpoint(assignments);
      const { id } = await shop.sendTest();
      expect(await outcome(id)).to.include({ status: "SUCCEEDED", attempts: 1 });
      const row = await shop.endpoint();
      expect(row).to.include({ consecutive_failures: 0, failing_since: null, probe_at: null, failed_probes: 0 });
      expect(row).to.include({ disabled_at: null, disabled_reason: null, warned_at: null });
      expect(row.paused).to.equal(state.startsWith("paused"));
      const enabled = await shop.audit("WEBHOOK_ENDPOINT_ENABLED");
      expect(enabled).to.have.length(state.includes("disabled") ? 1 : 0);
      for (const entry of enabled) expect(entry).to.include({ actor_kind: "SYSTEM", target_id: shop.endpointId });
    });

    it(`that fails does not affect an endpoint that is ${state}, and is not retried`, async () => {
      receiver.status = 410;
      await shop.setEndpoint(assignments);
      const before = await shop.endpoint();
      const { id } = await shop.sendTest();
      expect(await outcome(id)).to.include({
        status: "FAILED",
        attempts: 1,
        response_status: 410,
        error_class: "HTTP_STATUS",
        next_attempt_at: null,
      });
      expect(await shop.endpoint()).to.deep.equal(before);
      await wait(1_200);
      expect(receiver.received).to.have.length(1);
      expect(await shop.audit("WEBHOOK_ENDPOINT_ENABLED")).to.deep.equal([]);
    });
  }

  it("that succeeds sends the deliveries of a suspended endpoint", async () => {
    await shop.setEndpoint(
      "consecutive_failures = 12, failing_since = now(), failing_topics = '{\"product.created\": 12}', probe_at = now() + interval '10 minutes'",
    );
    await shop.change(5);
    await wait(1_200);
    expect(receiver.received).to.deep.equal([]);
    await shop.sendTest();
    await eventually(shop.deliveries, (rows) => rows.every(({ status }) => status === "SUCCEEDED"));
    expect(receiver.received).to.have.length(6);
  });

  it("is sent before pending deliveries, and sends none of a paused endpoint", async () => {
    await shop.setEndpoint("paused = true");
    await shop.change(3);
    const { id } = await shop.sendTest();
    await outcome(id);
    await wait(1_200);
    expect(receiver.received.map(({ headers }) => headers["x-webhook-test"])).to.deep.equal(["true"]);
    expect((await shop.deliveries()).filter(({ status }) => status === "PENDING")).to.have.length(3);
  });

  it("is sent again when its worker is killed", async () => {
    await shop.disable();
    receiver.status = 500;
    const { id } = await shop.sendTest();
    await outcome(id);
    receiver.status = 204;
    // As the row is when its worker was killed: nothing is written down.
    await shop.disable();
    await shop.setDeliveries("status = 'PENDING', attempts = 0");
    expect(await outcome(id)).to.include({ status: "SUCCEEDED", attempts: 1 });
    expect(receiver.received).to.have.length(2);
    expect((await shop.endpoint()).disabled_at).to.equal(null);
  });

  it("is found without a job", async () => {
    receiver.status = 500;
    const { id } = await shop.sendTest();
    await outcome(id);
    receiver.status = 204;
    await shop.setEndpoint("paused = true");
    await shop.setDeliveries("status = 'PENDING', attempts = 0");
    expect(await outcome(id)).to.include({ status: "SUCCEEDED" });
  });

  it("is not repeated endlessly after an internal error", async () => {
    await shop.setEndpoint("sealed_secret = 'nonsense'");
    const { id } = await shop.sendTest();
    const row = await eventually(
      () => shop.delivery(id),
      ({ next_attempt_at: next }) => next !== null,
    );
    expect(row).to.include({ status: "PENDING" });
    await shop.disable();
    await wait(1_500);
    expect(await shop.delivery(id), "nor given up").to.deep.equal(row);
  });

  it("is not replayed, alone or with failed deliveries", async () => {
    receiver.status = 500;
    const { id } = await shop.sendTest();
    await outcome(id);
    expect(await shop.countFailed()).to.equal(0);
    expect(await shop.replayFailed()).to.deep.equal({ replayed: 0, remaining: 0, lastAt: null });
    const answer = await shop.tryReplay(id);
    expect(codes(answer)).to.deep.equal(["INVALID_STATE"]);
    expect(answer.errors[0]!.extensions).to.have.property("hint").that.includes("sendTestEvent");
    await wait(300);
    expect(receiver.received).to.have.length(1);
  });

  it("is limited to ten per minute and endpoint, also with concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => shop.trySendTest()));
    const refused = answers.filter(({ errors }) => errors.length > 0);
    expect(refused.map((answer) => codes(answer)[0])).to.deep.equal(Array(5).fill("RATE_LIMITED"));
    for (const { errors } of refused) {
      expect(errors[0]!.message).to.match(/at most 10 test events per minute/);
      expect(errors[0]!.extensions)
        .to.have.property("hint")
        .that.matches(/^Try again in [1-6]?\d seconds\.$/);
    }
    expect(await shop.deliveries()).to.have.length(10);
    expect(await shop.audit("WEBHOOK_TEST_SENT")).to.have.length(10);
    const { endpoint } = await buildEndpoint(server, shop.shop, `${receiver.url}/other`);
    expect(codes(await shop.trySendTest(null, endpoint.id))).to.deep.equal([]);
    await shop.sql("update audit_entries set created_at = now() - interval '61 seconds' where shop_id = $1");
    expect(codes(await shop.trySendTest())).to.deep.equal([]);
  });

  it("is recorded in the audit log with its actor", async () => {
    const { id } = await shop.sendTest("order.paid");
    const [entry] = await shop.audit("WEBHOOK_TEST_SENT");
    expect(entry).to.deep.include({
      actor_kind: "STAFF",
      actor_id: shop.staff.id,
      target_id: shop.endpointId,
      details: { topic: "order.paid", deliveryId: id },
    });
  });

  it("is refused for unknown topics, and unknown or foreign endpoints", async () => {
    for (const topic of ["", "order", "order.created ", "ORDER.CREATED", "a\0b", "\ud800", "toString", "__proto__"]) {
      const answer = await shop.trySendTest(topic);
      expect(codes(answer), topic).to.deep.equal(["VALIDATION_FAILED"]);
      expect(answer.errors[0]!.extensions).to.have.nested.property("issues[0].path", "topic");
    }
    const stranger = await openWorld(server);
    const { endpoint: foreign } = await buildEndpoint(server, stranger.shop, receiver.url);
    const answers = [];
    for (const id of [foreign.id, newId("whe"), "nonsense", "", "a\0b", "\ud800"]) {
      const { errors } = await shop.trySendTest("order.paid", id);
      answers.push([errors[0]!.extensions.code, errors[0]!.message]);
    }
    expect(new Set(answers.map(String))).to.deep.equal(new Set(["NOT_FOUND,Webhook endpoint not found"]));
    expect(
      (await shop.ask("mutation ($shopId: ID!) { sendTestEvent(shopId: $shopId, id: 1, topic: [1]) { id } }")).status,
    ).to.equal(400);
    const variables = { shopId: shop.shop.id, id: shop.endpointId };
    expect(await stranger.refusal("sendTestEvent", variables)).to.deep.equal(["SHOP_NOT_FOUND"]);
    expect(await shop.deliveries()).to.deep.equal([]);
  });

  describe("to a hanging receiver", () => {
    const answers: ServerResponse[] = [];
    const hanging = createServer((request, response) => {
      if (request.headers["x-webhook-test"]) response.writeHead(204).end();
      else answers.push(response);
    });
    before(async () => {
      await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    });
    after(() => {
      hanging.closeAllConnections();
      hanging.close();
    });

    it("makes the endpoint healthy, and later failures count from there", async () => {
      await shop.setEndpoint(`url = 'http://127.0.0.1:${(hanging.address() as AddressInfo).port}/'`);
      await shop.setEndpoint(
        "consecutive_failures = 12, failing_since = now() - interval '1 day', failing_topics = '{\"product.created\": 12}', probe_at = now()",
      );
      await shop.change(3);
      await eventually(
        () => answers.length,
        (count) => count === 1,
      );
      const { id } = await shop.sendTest();
      await outcome(id);
      expect(await shop.endpoint()).to.include({ consecutive_failures: 0, probe_at: null, failing_since: null });
      answers[0]!.writeHead(500).end();
      await eventually(shop.endpoint, (row) => row.consecutive_failures === 1);
    });
  });
});
