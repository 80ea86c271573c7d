import { expect } from "chai";
import { sql } from "kysely";
import { asOperator } from "../../src/core/access/operation.ts";
import { kysely } from "../../src/core/queries/database.ts";
import { recordEvent } from "../../src/core/webhooks/events/record-event.sql.ts";
import { eventually } from "../support/eventually.ts";
import { buildManyDeliveries } from "../support/webhooks/deliveries.ts";
import { useWebhookShop, type WebhookShop } from "../support/webhooks/webhook-shop.ts";

const key = ({ shop, endpointId }: WebhookShop) => ({ shopId: shop.id, id: endpointId });

async function makeBusy(shop: WebhookShop, count: number): Promise<void> {
  await buildManyDeliveries(shop.server.databaseUrl, key(shop), count, "PENDING");
  await shop.sql("update outstanding_deliveries set next_attempt_at = now() where shop_id = $1");
}

const jobs = (shop: WebhookShop) =>
  shop.sql(
    "select 1 from graphile_worker._private_jobs where payload->>'shopId' = $1 and payload->>'endpointId' = $2",
    shop.endpointId,
  );

describe("An event for an endpoint with a backlog", () => {
  const shop = useWebhookShop();

  it("adds no job, because there is one, unless the endpoint is suspended", async () => {
    await makeBusy(shop, 100);
    await shop.change(1);
    expect(await jobs(shop)).to.have.length(1);
    await shop.change(3);
    expect(await jobs(shop)).to.have.length(1);
    await shop.sql("update webhook_endpoints set probe_at = now() + interval '1 hour' where shop_id = $1");
    await shop.change(1);
    expect(await jobs(shop)).to.have.length(2);
  });
});

describe("A change that commits after the run that it relied on", () => {
  const shop = useWebhookShop({ worker: true });

  it("is delivered", async function () {
    this.timeout(30_000);
    const { server, receiver } = shop;
    const answer = receiver.hold();
    await makeBusy(shop, 150);
    await shop.wake();
    await eventually(
      () => receiver.received.length,
      (count) => count === 20,
    );
    const committing = Promise.withResolvers<void>();
    const recorded = Promise.withResolvers<void>();
    const change = server.em.fork().transactional(async (em) => {
      await sql`select pg_current_xact_id()`.execute(kysely(em));
      const data = { productId: "prod_1", handle: "mug", version: 1 };
      await recordEvent(asOperator(em, shop.shop.id), { topic: "product.created", data, createdAt: new Date() });
      recorded.resolve();
      await committing.promise;
    });
    await recorded.promise;
    answer();
    const due = () => shop.sql("select 1 from outstanding_deliveries where shop_id = $1");
    await eventually(due, (rows) => rows.length === 0);
    // The run has ended. Only the job that looks again is left.
    await eventually(
      () =>
        shop.sql(
          "select 1 from graphile_worker._private_jobs where payload->>'shopId' = $1 and locked_at is null and payload->>'until' is not null",
        ),
      (rows) => rows.length === 1,
    );
    committing.resolve();
    await change;
    await eventually(
      () => receiver.received.length,
      (count) => count === 151,
    );
    await eventually(due, (rows) => rows.length === 0);
    await eventually(
      () => jobs(shop),
      (rows) => rows.length === 0,
    );
  });
});
