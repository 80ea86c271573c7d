import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { madeDeliveries } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint } from "../support/factories.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

const { logger, lines } = collectLines("warn");
const DAY = 86_400_000;

describe("A disabled endpoint", () => {
  const shop = useWebhookShop({ worker: true });
  const { server, receiver } = shop;

  it("fails new deliveries without an attempt or a job", async () => {
    await shop.disable();
    const { endpoint } = await buildEndpoint(server, shop.shop, `${receiver.url}/other`);
    await shop.change(3);
    const rows = await eventually(shop.deliveries, (all) => all.every(({ status }) => status !== "PENDING"));
    const failed = rows.filter((row) => row.endpoint_id === shop.endpointId);
    expect(failed).to.have.length(3);
    for (const row of failed) {
      expect(row).to.include({
        status: "FAILED",
        attempts: 0,
        error_class: "ENDPOINT_DISABLED",
        error: "The endpoint is disabled",
        next_attempt_at: null,
        attempted_at: null,
      });
    }
    expect(rows.filter((row) => row.endpoint_id === endpoint.id).map(({ status }) => status)).to.deep.equal(
      Array(3).fill("SUCCEEDED"),
    );
    expect(receiver.received.map(({ path }) => path)).to.deep.equal(Array(3).fill("/other"));
    expect(await shop.countFailed()).to.equal(3);
  });

  it("fails pending deliveries, which keep their attempts", async () => {
    await shop.setEndpoint("paused = true");
    await shop.change(40);
    await shop.setDeliveries("attempts = 2, next_attempt_at = now() + interval '1 day'");
    await shop.disable();
    const rows = await eventually(shop.deliveries, (all) => all.every(({ status }) => status === "FAILED"));
    for (const row of rows) {
      expect(row).to.include({ attempts: 2, error_class: "ENDPOINT_DISABLED", next_attempt_at: null });
    }
    expect(receiver.received).to.deep.equal([]);
    expect(await shop.countFailed()).to.equal(40);
  });

  it("fails pending deliveries in batches", async function () {
    this.timeout(90_000);
    await shop.setEndpoint("paused = true");
    await shop.change(1);
    await shop.sql(
      `with ${madeDeliveries(
        "shop_id, id, event_id, endpoint_id, topic, status, attempts, created_at, next_attempt_at",
        `select shop_id, 'whd_' || lpad(place::text, 26, '0'), event_id, endpoint_id, topic, 'PENDING', 0, now(), now()
        from deliveries cross join generate_series(1, 5500) as place where shop_id = $1`,
      )} select`,
    );
    await shop.disable();
    const rows = await eventually(shop.deliveries, (all) => all.every(({ status }) => status === "FAILED"), 80_000);
    expect(rows).to.have.length(5_501);
    expect(receiver.received).to.deep.equal([]);
  });

  it("loses and keeps no delivery when it is disabled and enabled during events", async function () {
    this.timeout(30_000);
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([shop.change(5), shop.disable(), shop.change(5)]);
      await Promise.all([shop.change(5), shop.sendTest(), shop.change(5)]);
      await eventually(shop.endpoint, ({ disabled_at: disabledAt }) => disabledAt === null);
    }
    await eventually(shop.deliveries, (all) => all.every(({ status }) => status !== "PENDING"));
    const failed = (await shop.deliveries()).filter(({ status }) => status === "FAILED");
    expect(await shop.countFailed()).to.equal(failed.length);
    expect((await shop.replayFailed()).replayed).to.equal(failed.length);
    await eventually(shop.deliveries, (all) => all.every(({ status }) => status === "SUCCEEDED"));
    expect(await shop.deliveries()).to.have.length(84);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).to.equal(84);
  });

  it("does not fail a concurrent change when it is deleted", async function () {
    this.timeout(30_000);
    for (let round = 0; round < 5; round += 1) {
      const { endpoint } = await buildEndpoint(server, shop.shop, `${receiver.url}/${round}`);
      const [{ errors }] = await Promise.all([
        shop.send("deleteWebhookEndpoint", { id: endpoint.id }),
        shop.change(10),
      ]);
      expect(errors).to.deep.equal([]);
    }
    // Deliveries sent before stay sent; those still waiting are given up.
    const rows = await eventually(shop.deliveries, (all) => all.every(({ status }) => status !== "PENDING"));
    expect(rows.filter((row) => row.status === "FAILED" && row.error_class !== "ENDPOINT_DISABLED")).to.deep.equal([]);
    const [{ count }] = (await shop.sql<{ count: number }>(
      "select count(*)::int as count from events where shop_id = $1",
    )) as [{ count: number }];
    expect(count).to.equal(50);
  });
});

describe("Staff get an audit entry for an endpoint", () => {
  const shop = useWebhookShop({ worker: true, logger });
  const { receiver } = shop;
  beforeEach(() => lines.splice(0));

  const warnings = () => lines.filter(({ endpointId, level }) => endpointId === shop.endpointId && level === 40);
  const attemptAll = () => shop.setDeliveries("next_attempt_at = now()");

  it("once when it has failed for a day, and again only after a recovery", async () => {
    receiver.status = 500;
    await shop.change(2);
    await eventually(shop.endpoint, (row) => row.consecutive_failures === 2);
    expect(await shop.audit("WEBHOOK_ENDPOINT_FAILING")).to.deep.equal([]);
    await shop.setEndpoint("failing_since = now() - interval '1 day'");
    await attemptAll();
    await eventually(shop.endpoint, (row) => row.consecutive_failures === 4);
    const [entry, ...others] = await shop.audit("WEBHOOK_ENDPOINT_FAILING");
    expect(others).to.deep.equal([]);
    expect(entry).to.include({ actor_kind: "SYSTEM", actor_id: null, target_id: shop.endpointId });
    const { failingSince, disablesAt } = entry!.details;
    expect(Date.parse(disablesAt!) - Date.parse(failingSince!)).to.equal(5 * DAY);

    receiver.status = 204;
    await attemptAll();
    await eventually(shop.endpoint, (row) => row.consecutive_failures === 0 && row.warned_at === null);
    receiver.status = 500;
    await shop.change(1);
    await eventually(shop.endpoint, (row) => row.consecutive_failures === 1);
    expect(await shop.audit("WEBHOOK_ENDPOINT_FAILING")).to.have.length(1);
    await shop.setEndpoint("failing_since = now() - interval '2 days'");
    await attemptAll();
    await eventually(
      () => shop.audit("WEBHOOK_ENDPOINT_FAILING"),
      (rows) => rows.length === 2,
    );
  });

  it("once when it is disabled as gone", async () => {
    receiver.status = 410;
    await shop.change(5);
    await eventually(shop.deliveries, (rows) => rows.every(({ status }) => status === "FAILED"));
    await eventually(warnings, (all) => all.length > 0);
    await wait(200);
    const entries = await shop.audit("WEBHOOK_ENDPOINT_DISABLED");
    expect(entries.map(({ details }) => details)).to.deep.equal([{ reason: "GONE" }]);
    expect(entries[0]).to.include({ actor_kind: "SYSTEM", target_id: shop.endpointId });
    expect(warnings().map(({ to }) => to)).to.deep.equal(["DISABLED"]);
    expect(JSON.stringify(warnings())).not.to.include("http");
    const { items } = await shop.run("auditLog", { actions: ["WEBHOOK_ENDPOINT_DISABLED"] });
    expect(items).to.have.length(1);
    expect(items[0]).to.include({ actorKind: "SYSTEM", actorId: null, actorName: null });
  });

  it("once when it is disabled after five days, and its pending deliveries fail", async () => {
    receiver.status = 500;
    await shop.change(3);
    await eventually(shop.endpoint, (row) => row.consecutive_failures === 3);
    await shop.setEndpoint(
      "consecutive_failures = 9, failing_topics = '{\"product.created\": 9}', failing_since = now() - interval '5 days', warned_at = now() - interval '4 days'",
    );
    await shop.sql(
      `update outstanding_deliveries set next_attempt_at = now()
      where id = (select min(id) from deliveries where shop_id = $1)`,
    );
    await shop.wake();
    await eventually(shop.deliveries, (rows) => rows.every(({ status }) => status === "FAILED"));
    const entries = await shop.audit("WEBHOOK_ENDPOINT_DISABLED");
    expect(entries.map(({ details }) => details)).to.deep.equal([{ reason: "FAILING" }]);
    expect(await shop.audit("WEBHOOK_ENDPOINT_FAILING")).to.deep.equal([]);
    expect(receiver.received).to.have.length(4);
  });
});
