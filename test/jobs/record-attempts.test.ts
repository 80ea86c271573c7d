import { expect } from "chai";
import type { AttemptResult } from "../../src/jobs/sending/attempt-delivery.ts";
import { recordAttempts } from "../../src/jobs/sending/record-attempts.sql.ts";
import { newId } from "../../src/core/model/ids.ts";
import { buildAttemptResult } from "../support/webhooks/deliveries.ts";
import { query } from "../support/database.ts";
import { useWebhookShop, type DeliveryRow } from "../support/webhooks/webhook-shop.ts";

describe("Recording attempts", () => {
  const shop = useWebhookShop();
  const { server } = shop;

  /** The result of an attempt at a delivery as it is now. */
  function result(row: DeliveryRow, status: number, overrides: Partial<AttemptResult["delivery"]> = {}): AttemptResult {
    const delivery = {
      shopId: shop.shop.id,
      id: row.id,
      endpointId: shop.endpointId,
      attempts: row.attempts,
      isTest: row.is_test,
      isProbe: false,
      isFailing: true,
    };
    return buildAttemptResult({ ...delivery, ...overrides }, status);
  }

  const record = (...results: AttemptResult[]) => recordAttempts(server.em, shop.shop.id, results);

  async function prepare(): Promise<{ test: DeliveryRow; others: DeliveryRow[] }> {
    await shop.sendTest();
    await shop.change(3);
    const rows = await shop.deliveries();
    return { test: rows.find((row) => row.is_test)!, others: rows.filter((row) => !row.is_test) };
  }

  const suspend = () =>
    shop.setEndpoint(
      "consecutive_failures = 12, failing_since = now() - interval '2 hours', failing_topics = '{\"product.created\": 12}', probe_at = now(), failed_probes = 3",
    );

  it("counts one failure for a successful test followed by a failed probe", async () => {
    const { test, others } = await prepare();
    await suspend();
    await record(result(test, 204, { isProbe: true }));
    await record(result(others[0]!, 500, { isProbe: true }));
    expect(await shop.endpoint()).to.include({ consecutive_failures: 1, probe_at: null, failed_probes: 0 });
    expect(await shop.delivery(others[0]!.id)).to.include({ status: "PENDING", attempts: 0 });
  });

  it("ignores failed tests for the endpoint's health, alone or in a batch", async () => {
    const { test, others } = await prepare();
    await record(result(test, 410), result(others[0]!, 500));
    expect(await shop.endpoint()).to.include({ consecutive_failures: 1, disabled_reason: null });
    expect(await shop.delivery(test.id)).to.include({ status: "FAILED", attempts: 1, next_attempt_at: null });
  });

  it("has the same result in one batch and one by one", async () => {
    for (const isOneBatch of [true, false]) {
      await shop.open();
      const { test, others } = await prepare();
      await suspend();
      const results = [
        result(others[0]!, 500, { isProbe: true }),
        result(test, 204, { isProbe: true }),
        result(others[1]!, 500),
        result(others[2]!, 500),
      ];
      if (isOneBatch) await record(...results);
      else for (const one of results) await record(one);
      expect(await shop.endpoint()).to.include({ consecutive_failures: 2, probe_at: null, failed_probes: 0 });
    }
  });

  it("probes a suspended endpoint no earlier than it asks", async () => {
    const { others } = await prepare();
    await suspend();
    const probe = result(others[0]!, 429, { isProbe: true });
    const from = Date.now();
    await record({ ...probe, outcome: { ...probe.outcome, retryAfter: "7200" } });
    const { probe_at: probeAt } = await shop.endpoint();
    expect((probeAt as Date).getTime()).to.be.within(from + 7_190_000, Date.now() + 7_210_000);
    const jobs = await query(
      server.databaseUrl,
      "select run_at from graphile_worker._private_jobs where payload->>'shopId' = $1 and run_at = $2",
      [shop.shop.id, probeAt],
    );
    expect(jobs).to.have.length(1);
  });

  it("fails running attempts of a disabled endpoint, which stays disabled after a success", async () => {
    const { others } = await prepare();
    const [change] = await record(result(others[0]!, 410), result(others[1]!, 500), result(others[2]!, 204));
    expect(change).to.include({ from: "HEALTHY", to: "DISABLED", failures: 0 });
    expect(await shop.endpoint()).to.include({ disabled_reason: "GONE", consecutive_failures: 0 });
    const statuses = await Promise.all(others.map(async ({ id }) => (await shop.delivery(id)).status));
    expect(statuses).to.deep.equal(["FAILED", "PENDING", "SUCCEEDED"]);
    expect(await shop.audit("WEBHOOK_ENDPOINT_DISABLED")).to.have.length(1);
  });

  it("enables a disabled endpoint only after a test, and stores when it was disabled", async () => {
    const { test, others } = await prepare();
    await shop.setEndpoint(
      "disabled_at = now() - interval '1 hour', disabled_reason = 'FAILING', consecutive_failures = 9",
    );
    const { disabled_at: disabledAt } = await shop.endpoint();
    await record(result(others[0]!, 204));
    await record(result(others[1]!, 410));
    expect((await shop.endpoint()).disabled_at).to.deep.equal(disabledAt);
    expect((await record(result(test, 204)))[0]).to.include({ from: "DISABLED", to: "HEALTHY" });
    expect(await shop.endpoint()).to.include({ disabled_at: null, disabled_reason: null, consecutive_failures: 0 });
  });

  it("has no effect the second time", async () => {
    const { others } = await prepare();
    const [one, two, three] = others as [DeliveryRow, DeliveryRow, DeliveryRow];
    const successes = [result(one, 204, { isFailing: false }), result(two, 204, { isFailing: false })];
    const failure = result(three, 500);
    expect(await record(...successes)).to.deep.equal([]);
    expect((await record(failure))[0]).to.include({ from: "HEALTHY", to: "FAILING", failures: 1 });
    for (const again of [successes, [failure]]) expect(await record(...again)).to.deep.equal([]);
    for (const { id } of others) expect(await shop.delivery(id)).to.include({ attempts: 1 });
    expect(await shop.endpoint()).to.include({ consecutive_failures: 1 });
    const attempts = await query(server.databaseUrl, "select id from delivery_attempts where shop_id = $1", [
      shop.shop.id,
    ]);
    expect(attempts.map(({ id }) => id)).to.have.members([...successes, failure].map(({ id }) => id));
  });

  it("skips a deleted endpoint, and records all others", async () => {
    const { test, others } = await prepare();
    const gone = { shopId: shop.shop.id, endpointId: newId("whe"), id: newId("whd") };
    await record(result(test, 204, gone), result(others[0]!, 410, gone), result(others[1]!, 204));
    expect((await shop.delivery(others[1]!.id)).status).to.equal("SUCCEEDED");
    expect(await shop.audit("WEBHOOK_ENDPOINT_DISABLED")).to.deep.equal([]);
  });

  it("is atomic beside tests, failures and replays", async () => {
    const { test, others } = await prepare();
    await suspend();
    await Promise.all([
      record(result(test, 204)),
      record(result(others[0]!, 500)),
      record(result(others[1]!, 410)),
      record(result(others[2]!, 204)),
      // Refused when the endpoint is disabled before.
      shop.tryReplay(others[0]!.id),
      shop.trySendTest(),
    ]);
    expect(await shop.attempts()).to.have.length(4);
  });
});
