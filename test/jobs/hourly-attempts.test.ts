import { expect } from "chai";
import { purgeExpired } from "../../src/jobs/retention/purge-expired.sql.ts";
import type { AttemptResult } from "../../src/jobs/sending/attempt-delivery.ts";
import { recordAttempts } from "../../src/jobs/sending/record-attempts.sql.ts";
import { newId } from "../../src/core/model/ids.ts";
import { buildAttemptResult } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint } from "../support/factories.ts";
import { codeOf, issuesOf } from "../support/requests/refusals.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

const HOURS = `query ($shopId: ID!, $hours: Int! = 24) { shop(id: $shopId) { webhookEndpoints {
  hourlyAttempts(hours: $hours) { hour attempts failures p50Ms p95Ms } } } }`;
const DELETE = "mutation ($shopId: ID!, $id: ID!) { deleteWebhookEndpoint(shopId: $shopId, id: $id) }";
const HOUR = 3_600_000;

interface Hour {
  hour: string;
  attempts: number;
  failures: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

describe("Hourly attempts at a webhook endpoint", () => {
  const shop = useWebhookShop();
  const { server } = shop;
  const empty = { attempts: 0, failures: 0, p50Ms: null, p95Ms: null };

  async function askAll(hours?: number): Promise<Hour[][]> {
    const { data, errors } = await shop.ask(HOURS, { hours });
    expect(errors).to.deep.equal([]);
    return data.shop.webhookEndpoints.map((endpoint: { hourlyAttempts: Hour[] }) => endpoint.hourlyAttempts);
  }

  /** The attempts of the shop's first endpoint in one hour, whichever it is by now. */
  async function askOf(hour: Date): Promise<Hour> {
    const [hours] = await askAll(168);
    return hours!.find((one) => one.hour === hour.toISOString())!;
  }

  /** The beginning of the hour that PostgreSQL is in, or of one before. */
  async function hourBefore(count: number): Promise<Date> {
    const [row] = await shop.sql<{ hour: Date }>(
      `select date_trunc('hour', now(), 'UTC') - ${count} * interval '1 hour' as hour from shops where id = $1`,
    );
    return row!.hour;
  }

  /** The result of an attempt at a delivery that is nobody's. */
  function result(status: number, total: number, startedAt: Date, endpointId = shop.endpointId): AttemptResult {
    const delivery = { shopId: shop.shop.id, endpointId, id: newId("whd"), attempts: 0, isTest: false, isProbe: false };
    const built = buildAttemptResult({ ...delivery, isFailing: false }, status);
    return { ...built, startedAt, outcome: { ...built.outcome, timings: { ...built.outcome.timings, total } } };
  }

  const record = (results: AttemptResult[]) => recordAttempts(server.em, shop.shop.id, results);

  it("are empty for an endpoint without attempts", async () => {
    const from = await hourBefore(0);
    const [hours] = (await askAll()) as [Hour[]];
    const last = Date.parse(hours.at(-1)!.hour);
    expect(last).to.be.within(from.getTime(), (await hourBefore(0)).getTime());
    const expected = Array.from({ length: 24 }, (_, index) => new Date(last - (23 - index) * HOUR).toISOString());
    expect(hours).to.deep.equal(expected.map((hour) => ({ hour, ...empty })));
  });

  it("are counted in the hour of their start, over several batches, with durations", async () => {
    const [now, before] = [await hourBefore(0), await hourBefore(1)];
    const justBefore = new Date(now.getTime() - 1);
    await record([result(204, 100, justBefore), result(204, 100, now), result(500, 100, before)]);
    for (let batch = 0; batch < 3; batch += 1) {
      await record(Array.from({ length: 6 }, (_, index) => result(204, 10 * (index + 1), now)));
    }
    await record([result(410, 9_000, now)]);
    const first = new Date(before.getTime() - HOUR);
    expect(await askOf(first)).to.deep.equal({ ...empty, hour: first.toISOString() });
    const [second, third] = [await askOf(before), await askOf(now)];
    expect(second).to.include({ attempts: 2, failures: 1 });
    expect(third).to.include({ attempts: 20, failures: 1 });
    expect(second.p50Ms).to.be.within(90, 110);
    expect(third.p50Ms).to.be.within(36, 44);
    expect(third.p95Ms).to.be.within(90, 110);
  });

  it("count a repeated record once", async () => {
    const now = await hourBefore(0);
    const batches = [[result(204, 5, now), result(204, 6, now)], [result(500, 7, now)]];
    for (let time = 0; time < 2; time += 1) for (const batch of batches) await record(batch);
    expect(await askOf(now)).to.include({ attempts: 3, failures: 1 });
    expect(await shop.attempts()).to.have.length(3);
  });

  it("are separate by endpoint, for up to a week", async () => {
    const { endpoint } = await buildEndpoint(server, shop.shop, "https://receiver.example/");
    const now = await hourBefore(0);
    await record([result(204, 5, now)]);
    const old = await hourBefore(166);
    const later = [old, await hourBefore(168)].map((hour) => result(204, 5, hour, endpoint.id));
    await record(later);
    const all = await askAll(168);
    for (const hours of all) expect(hours).to.have.length(168);
    const counted = all.map((hours) => hours.filter(({ attempts }) => attempts > 0).map(({ hour }) => hour));
    expect(counted).to.deep.equal([[now.toISOString()], [old.toISOString()]]);
    for (const [hours, issue] of [
      [0, "hours too_small"],
      [-1, "hours too_small"],
      [169, "hours too_big"],
    ] as const) {
      const answer = await shop.ask(HOURS, { hours });
      expect(codeOf(answer)).to.equal("VALIDATION_FAILED");
      expect(issuesOf(answer)).to.deep.equal([issue]);
    }
  });

  it("are deleted with the endpoint, and not recorded after its deletion", async () => {
    const kept = () => shop.sql("select hour from hourly_attempts where shop_id = $1");
    const now = await hourBefore(0);
    await record([result(204, 5, now)]);
    expect(await kept()).to.have.length(1);
    expect((await shop.ask(DELETE, { id: shop.endpointId })).data.deleteWebhookEndpoint).to.equal(true);
    expect(await kept()).to.deep.equal([]);
    await record([result(204, 5, now)]);
    expect(await kept()).to.deep.equal([]);
    expect(await shop.attempts()).to.have.length(2);
  });

  it("are deleted after 30 days", async () => {
    const hours = [await hourBefore(30 * 24 - 1), await hourBefore(30 * 24 + 1)];
    await record(hours.map((hour) => result(204, 5, hour)));
    await purgeExpired(server.em, new AbortController().signal);
    expect(await shop.sql("select hour from hourly_attempts where shop_id = $1")).to.deep.equal([{ hour: hours[0] }]);
  });
});

describe("Hourly attempts at a real receiver", () => {
  const shop = useWebhookShop({ worker: true });

  it("include events, retries, tests and probes", async () => {
    const counted = async () => {
      const { data } = await shop.ask(HOURS, { hours: 2 });
      const hours: Hour[] = data.shop.webhookEndpoints[0].hourlyAttempts;
      const [attempts, failures] = (["attempts", "failures"] as const).map((name) =>
        hours.reduce((sum, hour) => sum + hour[name], 0),
      );
      return { attempts, failures, hours };
    };
    const sent = (count: number) =>
      eventually(counted, ({ attempts }) => attempts === count && shop.receiver.received.length === count);
    await shop.change(3);
    await sent(3);
    shop.receiver.status = 500;
    await shop.sendTest();
    await sent(4);
    await shop.change(1);
    await sent(5);
    await shop.setEndpoint(
      "consecutive_failures = 12, failing_since = now(), failing_topics = '{\"product.created\": 12}', probe_at = now()",
    );
    await shop.setDeliveries("next_attempt_at = now()");
    const { failures, hours } = await sent(6);
    expect(failures).to.equal(3);
    expect(await shop.attempts()).to.have.length(6);
    for (const { attempts, p50Ms, p95Ms } of hours) {
      if (attempts > 0) expect(p50Ms).to.be.within(1, p95Ms!);
    }
  });
});
