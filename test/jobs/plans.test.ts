import { expect } from "chai";
import { call } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey } from "../support/factories.ts";
import { useServer } from "../support/server.ts";
import { useWebhookShop, type DeliveryRow } from "../support/webhook-shop.ts";

const ENDED = "2026-01-31T09:30:00.000Z";
const without = {
  "plan NONE": "plan = 'NONE'",
  "a trial that has ended": `plan = 'TRIAL', trial_ends_at = '${ENDED}'`,
};

describe("Webhooks of a shop without API access", () => {
  const server = useServer({ worker: true });
  const shop = useWebhookShop(server);
  const setPlan = (assignments: string) => shop.sql(`update shops set ${assignments} where id = $1`);
  const isOver = (rows: DeliveryRow[]) => rows.every(({ status }) => status !== "PENDING");
  const missed = {
    status: "FAILED",
    attempts: 0,
    error_class: "PLAN",
    error: "The shop's plan does not include webhooks",
    next_attempt_at: null,
  };

  for (const [name, plan] of Object.entries(without)) {
    it(`are recorded as failed and not sent with ${name}, and can be replayed after the upgrade`, async () => {
      await setPlan(plan);
      await shop.change(3);
      const rows = await shop.deliveries();
      expect(rows).to.have.length(3);
      for (const row of rows) expect(row).to.include(missed);
      expect(shop.receiver.received).to.deep.equal([]);
      expect(await shop.countFailed()).to.equal(3);
      await setPlan("plan = 'GROWTH'");
      expect(await shop.replayFailed()).to.include({ replayed: 3, remaining: 0 });
      await eventually(shop.deliveries, (all) => all.every(({ status }) => status === "SUCCEEDED"));
      expect(shop.receiver.received).to.have.length(3);
    });

    it(`fail with ${name} when they were still to be sent, with their attempts kept`, async () => {
      await shop.setEndpoint("paused = true");
      await shop.change(2);
      await shop.setDeliveries("attempts = 2, next_attempt_at = now() + interval '1 day'");
      await setPlan(plan);
      await shop.send();
      const rows = await eventually(shop.deliveries, isOver);
      for (const row of rows) expect(row).to.include({ ...missed, attempts: 2 });
      expect(shop.receiver.received).to.deep.equal([]);
    });
  }

  it("are neither tested nor replayed, and staff are told when the trial ended", async () => {
    await shop.change(1);
    const [delivery] = await eventually(shop.deliveries, isOver);
    await setPlan(without["a trial that has ended"]);
    for (const { errors } of await Promise.all([
      shop.trySendTest(),
      shop.tryReplay(delivery!.id),
      shop.tryReplayFailed(),
    ])) {
      expect(errors).to.have.length(1);
      expect(errors[0]).to.deep.include({ message: `The trial, which ended at ${ENDED}, does not include webhooks` });
      expect(errors[0]!.extensions.code).to.equal("PLAN_FORBIDS");
    }
    expect(shop.receiver.received).to.have.length(1);
  });

  it("go on with a smaller plan, to all endpoints that the shop has", async () => {
    await setPlan("plan = 'GROWTH'");
    await shop.change(1);
    await eventually(shop.deliveries, (all) => all.length === 1 && all[0]!.status === "SUCCEEDED");
  });
});

describe("A key after the trial", () => {
  const server = useServer();
  const shop = useWebhookShop(server);

  it("is told when it ended", async () => {
    const key = await buildKey(server.em, shop.shop);
    await shop.sql(`update shops set ${without["a trial that has ended"]} where id = $1`);
    const { status, json } = await call(server, "GET", `/${shop.shop.id}/products`, { key });
    expect(status).to.equal(403);
    expect(json.error).to.equal("Plan does not allow this scope");
    expect(json.hint).to.contain(`The shop's trial ended at ${ENDED}.`);
  });
});
