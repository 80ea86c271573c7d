import { expect } from "chai";
import { recordAttempts } from "../../src/jobs/sending/record-attempts.sql.ts";
import { buildAttemptResult } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint } from "../support/factories.ts";
import { useWebhookShop, type DeliveryRow, type WebhookShop } from "../support/webhooks/webhook-shop.ts";

const PROGRESS =
  "query ($shopId: ID!) { shop(id: $shopId) { webhookEndpoints { replay { startedAt total waiting lastAt } } } }";

interface Progress {
  startedAt: string;
  total: number;
  waiting: number;
  lastAt: string;
}

async function progressOfAll(shop: WebhookShop): Promise<(Progress | null)[]> {
  const { data, errors } = await shop.ask(PROGRESS);
  expect(errors).to.deep.equal([]);
  return data.shop.webhookEndpoints.map(({ replay }: { replay: Progress | null }) => replay);
}

const progressOf = async (shop: WebhookShop) => (await progressOfAll(shop))[0] ?? null;

describe("The progress of a replay", () => {
  // Without a worker, so that what is put off stays where it is put.
  const shop = useWebhookShop();
  const { server } = shop;

  async function attempt(row: DeliveryRow, status: number, isProbe = false): Promise<void> {
    const delivery = { shopId: shop.shop.id, id: row.id, endpointId: shop.endpointId, attempts: row.attempts };
    const result = buildAttemptResult({ ...delivery, isTest: false, isProbe, isFailing: false }, status);
    await recordAttempts(server.em, shop.shop.id, [result]);
  }

  it("is null without a replay, and for another endpoint", async () => {
    await shop.addFailed(3);
    await buildEndpoint(server, shop.shop, "https://receiver.example/other");
    await shop.change(2);
    expect(await progressOfAll(shop)).to.deep.equal([null, null]);
    await shop.replayFailed();
    const [progress, other] = await progressOfAll(shop);
    expect(progress).to.include({ total: 3, waiting: 3 });
    expect(other).to.equal(null);
  });

  it("shows total, waiting deliveries and end", async () => {
    await shop.addFailed(20);
    const { lastAt } = await shop.replayFailed();
    const { startedAt, ...progress } = (await progressOf(shop))!;
    expect(progress).to.deep.equal({ total: 20, waiting: 20, lastAt });
    expect(Date.parse(lastAt!) - Date.parse(startedAt)).to.be.closeTo(19 * 20, 1);
    const rows = await shop.deliveries();
    await attempt(rows[0]!, 204);
    await attempt(rows[1]!, 500);
    await attempt(rows[2]!, 410, true);
    // An event that happens meanwhile is none of it.
    await shop.setEndpoint("disabled_at = null, disabled_reason = null");
    await shop.change(1);
    expect(await progressOf(shop)).to.deep.equal({ startedAt, total: 20, waiting: 17, lastAt });
  });

  it("includes requests during the replay, and starts again after it", async () => {
    await shop.addFailed(30);
    const [{ created_at: since }] = (await shop.sql<{ created_at: Date }>(
      "select created_at from deliveries where shop_id = $1 order by id offset 20 limit 1",
    )) as [{ created_at: Date }];
    expect((await shop.replayFailed(since.toISOString())).replayed).to.equal(10);
    const first = (await progressOf(shop))!;
    await attempt((await shop.deliveries()).at(-1)!, 204);
    const { lastAt } = await shop.replayFailed();
    const second = { startedAt: first.startedAt, total: 30, waiting: 29, lastAt };
    expect(await progressOf(shop)).to.deep.equal(second);
    expect((await shop.replayFailed()).replayed).to.equal(0);
    expect(await progressOf(shop)).to.deep.equal(second);
    await shop.setDeliveries("status = 'FAILED', attempted_at = now(), next_attempt_at = null");
    expect(await progressOf(shop)).to.equal(null);
    await shop.replayFailed(since.toISOString());
    const third = (await progressOf(shop))!;
    expect(third).to.include({ total: 9, waiting: 9 });
    expect(Date.parse(third.startedAt)).to.be.greaterThan(Date.parse(first.startedAt));
  });

  it("excludes single replays", async () => {
    await shop.addFailed(5);
    const [one, other] = await shop.deliveries();
    await shop.replay(one!.id);
    await shop.replayFailed();
    expect(await progressOf(shop)).to.include({ total: 4, waiting: 4 });
    await shop.sql(`update outstanding_deliveries set status = 'FAILED' where shop_id = $1 and id = '${other!.id}'`);
    expect(await progressOf(shop)).to.include({ total: 4, waiting: 3 });
    await shop.replay(other!.id);
    expect(await progressOf(shop)).to.include({ total: 4, waiting: 3 });
  });
});

describe("The progress of a replay to a real receiver", () => {
  const shop = useWebhookShop({ worker: true });

  const isOver = (progress: Progress | null) => progress === null;

  it("ends when everything was attempted, whatever the result", async () => {
    await shop.setEndpoint("paused = true");
    await shop.addFailed(40);
    await shop.replayFailed();
    expect(await progressOf(shop)).to.include({ total: 40, waiting: 40 });
    shop.receiver.status = 500;
    await shop.setEndpoint("paused = false");
    await eventually(
      () => progressOf(shop),
      (progress) => progress !== null && progress.waiting < 40,
    );
    shop.receiver.status = 204;
    await shop.setEndpoint("probe_at = null, consecutive_failures = 0, failing_since = null");
    await eventually(() => progressOf(shop), isOver);
    const attempted = new Set((await shop.attempts()).map((attempt) => attempt.delivery_id));
    expect(attempted.size).to.equal(40);
  });

  it("ends when the endpoint is disabled", async () => {
    await shop.setEndpoint("paused = true");
    await shop.addFailed(3);
    await shop.replayFailed();
    await shop.disable();
    await eventually(() => progressOf(shop), isOver);
    expect(shop.receiver.received).to.deep.equal([]);
  });
});
