import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import { setPlan as set } from "../../src/core/shops/plans/set-plan.ts";
import { Plan } from "../../src/core/model/shops/shop.entity.ts";
import { call } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey } from "../support/factories.ts";
import { useWebhookShop, type DeliveryRow } from "../support/webhooks/webhook-shop.ts";

const ENDED = "2026-01-31T09:30:00.000Z";
const ENDED_TRIAL = `update shops set plan = 'TRIAL', trial_ends_at = '${ENDED}' where id = $1`;

describe("Webhooks of a shop without API access", () => {
  const shop = useWebhookShop({ worker: true });
  const { server } = shop;
  const setPlan = (plan: Plan) => set({ em: server.em, shop: shop.shop, actor: operator }, { plan, trialEndsAt: null });
  const endTrial = () => shop.sql(ENDED_TRIAL);
  const isOver = (rows: DeliveryRow[]) => rows.every(({ status }) => status !== "PENDING");
  const failed = {
    status: "FAILED",
    attempts: 0,
    error_class: "PLAN",
    error: "The shop's plan does not include webhooks",
    next_attempt_at: null,
  };

  for (const [name, losePlan] of [
    ["plan NONE", () => setPlan(Plan.NONE)],
    ["a trial that has ended", endTrial],
  ] as const) {
    it(`are recorded as failed with ${name}, and can be replayed after the upgrade`, async () => {
      await losePlan();
      await shop.change(3);
      const rows = await shop.deliveries();
      expect(rows).to.have.length(3);
      for (const row of rows) expect(row).to.include(failed);
      expect(shop.receiver.received).to.deep.equal([]);
      expect(await shop.countFailed()).to.equal(3);
      await setPlan(Plan.GROWTH);
      expect(await shop.replayFailed()).to.include({ replayed: 3, remaining: 0 });
      await eventually(shop.deliveries, (all) => all.every(({ status }) => status === "SUCCEEDED"));
      expect(shop.receiver.received).to.have.length(3);
    });

    it(`fail with ${name} when pending, and keep their attempts`, async () => {
      await shop.setEndpoint("paused = true");
      await shop.change(2);
      await shop.setDeliveries("attempts = 2, next_attempt_at = now() + interval '1 day'");
      await losePlan();
      await shop.wake();
      const rows = await eventually(shop.deliveries, isOver);
      for (const row of rows) expect(row).to.include({ ...failed, attempts: 2 });
      expect(shop.receiver.received).to.deep.equal([]);
    });
  }

  it("are neither tested nor replayed, and the error names the end of the trial", async () => {
    await shop.change(1);
    const [delivery] = await eventually(shop.deliveries, isOver);
    await endTrial();
    for (const { errors } of await Promise.all([
      shop.trySendTest(),
      shop.tryReplay(delivery!.id),
      shop.tryReplayFailed(),
    ])) {
      expect(errors).to.have.length(1);
      expect(errors[0]).to.deep.include({ message: `The trial that ended at ${ENDED} does not include webhooks` });
      expect(errors[0]!.extensions.code).to.equal("PLAN_FORBIDS");
    }
    expect(shop.receiver.received).to.have.length(1);
  });

  it("continue with a smaller plan, to all endpoints of the shop", async () => {
    await setPlan(Plan.GROWTH);
    await shop.change(1);
    await eventually(shop.deliveries, (all) => all.length === 1 && all[0]!.status === "SUCCEEDED");
  });
});

describe("A key after the trial", () => {
  const shop = useWebhookShop();
  const { server } = shop;

  it("gets an error with the end of the trial", async () => {
    const key = await buildKey(server.em, shop.shop);
    await shop.sql(ENDED_TRIAL);
    const { status, json } = await call(server, "GET", `/${shop.shop.id}/products`, { key });
    expect(status).to.equal(403);
    expect(json.error).to.equal("Plan does not allow this scope");
    expect(json.hint).to.equal(
      `This request requires the scope read_products. The shop's trial ended at ${ENDED}. ` +
        "Ask the operator of this service for the GROWTH or ENTERPRISE plan, or for a longer trial.",
    );
  });
});
