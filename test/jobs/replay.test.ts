import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { buildEndpoint } from "../support/factories.ts";
import type { GraphqlAnswer } from "../support/graphql.ts";
import { eventually } from "../support/eventually.ts";
import { newId } from "../../src/core/model/ids.ts";
import { retryGrid } from "../../src/jobs/sending/retry-schedule.ts";
import { openWorld } from "../support/world.ts";
import { LONG_AGO, useWebhookShop } from "../support/webhooks/webhook-shop.ts";

const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);
const SECOND = 1_000;

describe("Replaying a delivery", () => {
  const shop = useWebhookShop({ worker: true });
  const { server, receiver } = shop;

  /** A delivery that has failed for good, or whatever it is said to have. */
  async function delivered(status: "FAILED" | "SUCCEEDED") {
    receiver.status = status === "FAILED" ? 500 : 204;
    await shop.change(1);
    const [row] = await eventually(shop.deliveries, (rows) => rows[0]?.attempts === 1);
    await shop.setDeliveries("status = 'FAILED', next_attempt_at = null");
    await shop.setEndpoint("consecutive_failures = 0, failing_since = null");
    receiver.status = 204;
    return row!;
  }

  for (const status of ["FAILED", "SUCCEEDED"] as const) {
    it(`sends a delivery that ${status.toLowerCase()} again: the same row, event and bytes, and the log stays`, async () => {
      const { id } = await delivered(status);
      const release = receiver.hold();
      const answer = await shop.replay(id);
      expect(answer).to.deep.include({ id, status: "PENDING", attemptCount: 0, lastAttemptAt: null, errorClass: null });
      expect(answer.attempts).to.have.length(1);
      expect(answer.attempts[0].responseStatus).to.equal(status === "FAILED" ? 500 : 204);
      release();
      await eventually(
        () => shop.delivery(id),
        (row) => row.status === "SUCCEEDED",
      );
      expect(await shop.delivery(id)).to.include({ attempts: 1, response_status: 204, error: null });
      expect(await shop.deliveries()).to.have.length(1);
      const [first, second] = receiver.received;
      expect(receiver.received).to.have.length(2);
      expect(second!.headers["webhook-id"]).to.equal(first!.headers["webhook-id"]);
      expect(second!.body.equals(first!.body)).to.equal(true);
      expect((await shop.attempts()).map((attempt) => attempt.delivery_id)).to.deep.equal([id, id]);
      const [entry] = await shop.audit("WEBHOOK_DELIVERY_REPLAYED");
      expect(entry).to.include({ actor_kind: "STAFF", actor_id: shop.staff.id, target_id: shop.endpointId });
      expect(entry!.details).to.include({ deliveryId: id, status });
    });
  }

  it("restarts the schedule", async () => {
    const { id } = await delivered("FAILED");
    await shop.setDeliveries("attempts = 10");
    receiver.status = 503;
    await shop.replay(id);
    const row = await eventually(
      () => shop.delivery(id),
      ({ attempts }) => attempts === 1,
    );
    expect(row.status).to.equal("PENDING");
    const [next, attempted] = [row.next_attempt_at!.getTime(), row.attempted_at!.getTime()];
    expect(next).to.be.within(attempted + 4 * SECOND, Date.now() + 6 * SECOND + retryGrid(6 * SECOND));
  });

  it("ignores pending deliveries, also with concurrent requests", async () => {
    const { id } = await delivered("FAILED");
    await shop.setEndpoint("paused = true");
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.tryReplay(id)));
    for (const { data, errors } of answers) {
      expect(errors).to.deep.equal([]);
      expect(data.replayDelivery.status).to.equal("PENDING");
    }
    expect(await shop.audit("WEBHOOK_DELIVERY_REPLAYED")).to.have.length(1);
    await shop.setDeliveries("attempts = 3, next_attempt_at = now() + interval '1 hour'");
    const before = await shop.delivery(id);
    await shop.replay(id);
    expect(await shop.delivery(id)).to.deep.equal(before);
  });

  it("waits while the endpoint is paused", async () => {
    const { id } = await delivered("FAILED");
    await shop.setEndpoint("paused = true");
    await shop.replay(id);
    await wait(1_200);
    expect(receiver.received).to.have.length(1);
    await shop.setEndpoint("paused = false");
    await eventually(
      () => shop.delivery(id),
      (row) => row.status === "SUCCEEDED",
    );
  });

  it("is refused while the endpoint is disabled, until a test event enables it", async () => {
    const { id } = await delivered("FAILED");
    await shop.disable();
    for (const answer of [await shop.tryReplay(id), await shop.tryReplayFailed()]) {
      expect(codes(answer)).to.deep.equal(["INVALID_STATE"]);
      expect(answer.errors[0]!.message).to.equal("The endpoint is disabled");
      expect(answer.errors[0]!.extensions).to.have.property("hint").that.includes("test event");
    }
    expect((await shop.delivery(id)).status).to.equal("FAILED");
    const test = await shop.sendTest();
    await eventually(
      () => shop.delivery(test.id),
      (row) => row.status === "SUCCEEDED",
    );
    expect(await shop.countFailed()).to.equal(1);
    expect((await shop.replayFailed()).replayed).to.equal(1);
    await eventually(
      () => shop.delivery(id),
      (row) => row.status === "SUCCEEDED",
    );
  });

  it("is refused for unknown and foreign deliveries and endpoints", async () => {
    const { id } = await delivered("FAILED");
    const messages = new Set<string>();
    for (const unknown of [newId("whd"), shop.endpointId, "nonsense", "", "a\0b", "\ud800"]) {
      const { errors } = await shop.tryReplay(unknown);
      messages.add(`${errors[0]!.extensions.code} ${errors[0]!.message}`);
    }
    expect([...messages]).to.deep.equal(["NOT_FOUND Webhook delivery not found"]);
    const other = await openWorld(server);
    const { endpoint } = await buildEndpoint(server, other.shop, receiver.url);
    for (const unknown of [endpoint.id, newId("whe"), "nonsense", "", "a\0b", "\ud800"]) {
      const { errors } = await shop.tryReplayFailed(LONG_AGO, unknown);
      expect(`${errors[0]!.extensions.code} ${errors[0]!.message}`).to.equal("NOT_FOUND Webhook endpoint not found");
    }
    expect(await other.refusal("replayDelivery", { id })).to.deep.equal(["NOT_FOUND"]);
    for (const since of ["yesterday", "", 1, null, "2026-02-30T00:00:00.000Z", [], "\0"]) {
      expect((await shop.tryReplayFailed(since)).status, String(since)).to.equal(400);
    }
    expect((await shop.delivery(id)).status).to.equal("FAILED");
  });

  it("has no effect when the endpoint is deleted meanwhile", async () => {
    const { id } = await delivered("FAILED");
    const [removed, ...answers] = await Promise.all([
      shop.send("deleteWebhookEndpoint", { id: shop.endpointId }),
      shop.tryReplay(id),
      shop.tryReplayFailed(),
      shop.trySendTest(),
    ]);
    for (const answer of [removed, ...answers]) {
      // UNAVAILABLE: they wait for each other, and one of them gives way.
      for (const code of codes(answer)) expect(code).to.be.oneOf(["NOT_FOUND", "INVALID_STATE", "UNAVAILABLE"]);
    }
  });
});

describe("Replaying failed deliveries", () => {
  // Without a worker, so that what is put off stays where it is put.
  const shop = useWebhookShop();
  const { server } = shop;

  const inMilliseconds = (rows: { next_attempt_at: Date | null }[]) =>
    rows.map(({ next_attempt_at: at }) => at!.getTime());

  it("sends all since a time, oldest first, fifty a second", async () => {
    await shop.addFailed(200);
    await shop.sql("delete from outstanding_deliveries where shop_id = $1 and right(id, 1) = '0'");
    expect(await shop.countFailed()).to.equal(180);
    const before = Date.now();
    const answer = await shop.replayFailed();
    expect(answer).to.include({ replayed: 180, remaining: 0 });
    const rows = (await shop.deliveries()).filter(({ status }) => status === "PENDING");
    expect(rows).to.have.length(180);
    for (const row of rows) {
      expect(row).to.include({ attempts: 0, error_class: null, error: null, attempted_at: null });
    }
    const times = inMilliseconds(rows);
    expect(times[0]).to.be.within(before - SECOND, Date.now() + SECOND);
    expect(times).to.deep.equal(times.map((_, place) => times[0]! + 20 * place));
    expect(Date.parse(answer.lastAt!)).to.equal(times.at(-1));
    expect(await shop.countFailed()).to.equal(0);
    const [entry] = await shop.audit("WEBHOOK_DELIVERIES_REPLAYED");
    expect(entry!.details).to.deep.equal({ since: LONG_AGO, replayed: "180", remaining: "0" });
    expect(entry).to.include({ actor_kind: "STAFF", target_id: shop.endpointId });
  });

  it("excludes earlier events, and the count agrees", async () => {
    await shop.addFailed(10);
    const rows = await shop.sql<{ created_at: Date }>(
      "select created_at from deliveries where shop_id = $1 order by id",
    );
    const since = rows[6]!.created_at.toISOString();
    expect(await shop.countFailed(since)).to.equal(4);
    expect(await shop.replayFailed(since)).to.include({ replayed: 4, remaining: 0 });
    const statuses = (await shop.deliveries()).map(({ status }) => status);
    expect(statuses).to.deep.equal([...Array(6).fill("FAILED"), ...Array(4).fill("PENDING")]);
    for (const other of [since, "2999-01-01T00:00:00.000Z"]) {
      expect(await shop.countFailed(other)).to.equal(0);
      expect(await shop.replayFailed(other)).to.deep.equal({ replayed: 0, remaining: 0, lastAt: null });
    }
    expect(await shop.replayFailed("0001-01-01T00:00:00.000Z")).to.include({ replayed: 6, remaining: 0 });
    expect(await shop.audit("WEBHOOK_DELIVERIES_REPLAYED")).to.have.length(2);
  });

  it("starts after a running replay, or immediately", async () => {
    await shop.addFailed(100);
    const [{ created_at: since }] = (await shop.sql<{ created_at: Date }>(
      "select created_at from deliveries where shop_id = $1 order by id offset 50 limit 1",
    )) as [{ created_at: Date }];
    const first = await shop.replayFailed(since.toISOString());
    const second = await shop.replayFailed();
    expect([first.replayed, second.replayed]).to.deep.equal([50, 50]);
    const times = inMilliseconds(await shop.deliveries());
    expect(times[0]! - Date.parse(first.lastAt!)).to.equal(20);
    expect(new Set(times).size, "never two at a time").to.equal(100);
    await shop.setDeliveries("status = 'FAILED', next_attempt_at = null");
    await shop.setEndpoint("replays_until = now() - interval '1 hour'");
    const before = Date.now();
    await shop.replayFailed();
    expect(inMilliseconds(await shop.deliveries())[0]).to.be.within(before - SECOND, Date.now() + SECOND);
  });

  it("sends each once with concurrent requests and single replays", async () => {
    await shop.addFailed(300);
    const [one, other] = await shop.deliveries();
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => shop.replayFailed()),
      shop.replay(one!.id),
      shop.replay(other!.id),
    ]);
    const bulk = answers.slice(0, 6) as { replayed: number; remaining: number }[];
    const singles = (await shop.audit("WEBHOOK_DELIVERY_REPLAYED")).length;
    const taken = bulk.reduce((sum, { replayed }) => sum + replayed, 0);
    // Does not wait for a delivery that another request is replaying.
    expect(taken + singles).to.equal(300);
    const rows = await shop.deliveries();
    expect(rows.every(({ status, attempts }) => status === "PENDING" && attempts === 0)).to.equal(true);
  });

  it("sends the oldest ten thousand, and returns the remaining number", async function () {
    this.timeout(60_000);
    await shop.addFailed(10_250);
    const before = Date.now();
    const first = await shop.replayFailed();
    expect(first).to.include({ replayed: 10_000, remaining: 250 });
    expect(Date.parse(first.lastAt!)).to.be.within(before + 199 * SECOND, Date.now() + 201 * SECOND);
    const failed = (await shop.deliveries()).filter(({ status }) => status === "FAILED").map(({ id }) => id);
    expect(failed[0]).to.match(/0{10}10001$/);
    expect(await shop.replayFailed()).to.include({ replayed: 250, remaining: 0 });
  });

  it("counts for several endpoints with one statement, each since its own time", async () => {
    await shop.addFailed(5);
    await buildEndpoint(server, shop.shop, "https://receiver.example/other");
    const { data, errors } = await shop.ask(
      `query ($shopId: ID!) { shop(id: $shopId) { webhookEndpoints {
        all: failedDeliveryCount(since: "${LONG_AGO}") none: failedDeliveryCount(since: "2999-01-01T00:00:00Z")
      } } }`,
    );
    expect(errors).to.deep.equal([]);
    expect(data.shop.webhookEndpoints).to.deep.equal([
      { all: 5, none: 0 },
      { all: 0, none: 0 },
    ]);
  });
});

describe("A replay beside new events", () => {
  const shop = useWebhookShop({ worker: true });
  const { receiver } = shop;

  it("does not delay new events, and has its own rate", async function () {
    this.timeout(20_000);
    await shop.setEndpoint("paused = true");
    await shop.addFailed(150);
    await shop.setEndpoint("paused = false");
    const startedAt = performance.now();
    const { replayed } = await shop.replayFailed();
    expect(replayed).to.equal(150);
    await shop.change(10);
    const live = async () => (await shop.deliveries()).slice(-10);
    await eventually(live, (rows) => rows.every(({ status }) => status === "SUCCEEDED"));
    const first = (await shop.deliveries()).slice(0, 150).filter(({ status }) => status === "SUCCEEDED").length;
    expect(first, "what is replayed is not over").to.be.lessThan(150);
    await eventually(shop.deliveries, (rows) => rows.every(({ status }) => status === "SUCCEEDED"));
    expect(performance.now() - startedAt).to.be.at.least(2_900);
    expect(receiver.received).to.have.length(160);
  });
});
