import { expect } from "chai";
import { buildEndpoint, buildShop } from "../../support/factories.ts";
import { useWebhookShop } from "../../support/webhooks/webhook-shop.ts";
import { measureDeliveries } from "../../../src/core/webhooks/health/measure-deliveries.ts";

const nothing = { waiting: 0, failed: 0, oldestDueAt: null };

describe("Delivery figures", () => {
  const shop = useWebhookShop();
  const { server } = shop;

  const figures = async () => (await measureDeliveries(server.em)).filter(({ shopId }) => shopId === shop.shop.id);
  const addEndpoint = async (assignments: string) => {
    const { endpoint } = await buildEndpoint(server, shop.shop, "https://receiver.example/hooks");
    await shop.sql(`update webhook_endpoints set ${assignments} where shop_id = $1 and id = '${endpoint.id}'`);
  };
  const rowOf = (health: string, more: object = {}) => {
    return { shopId: shop.shop.id, shopName: shop.shop.name, health, endpoints: 1, ...nothing, ...more };
  };

  it("count pending and failed deliveries of every shop with endpoints, with the oldest due one", async () => {
    await buildShop(server.em);
    await buildEndpoint(server, await buildShop(server.em), "https://receiver.example/hooks");
    await shop.addFailed(3);
    await shop.change(3);
    const [due] = await shop.sql<{ next_attempt_at: Date }>(
      `update outstanding_deliveries set next_attempt_at = now() - interval '1 hour' where shop_id = $1
        and id = (select max(id) from outstanding_deliveries where shop_id = $1 and status = 'PENDING')
      returning next_attempt_at`,
    );
    const all = await measureDeliveries(server.em);
    expect(all.map(({ shopId }) => shopId))
      .to.include(shop.shop.id)
      .and.to.have.length(2);
    const expected = rowOf("HEALTHY", { waiting: 3, failed: 3, oldestDueAt: due!.next_attempt_at });
    expect(await figures()).to.deep.equal([expected]);
  });

  it("exclude deliveries scheduled for later from the due ones", async () => {
    await shop.change(1);
    await shop.setDeliveries("next_attempt_at = now() + interval '1 hour'");
    expect(await figures()).to.deep.equal([rowOf("HEALTHY", { waiting: 1 })]);
  });

  it("are separate by health, and for pull endpoints and paused ones", async () => {
    await addEndpoint("paused = true, disabled_at = now(), disabled_reason = 'GONE'");
    await addEndpoint("paused = true, consecutive_failures = 3");
    await addEndpoint("failing_topics = '{\"product.created\": 12}', probe_at = now(), consecutive_failures = 20");
    await addEndpoint("paused = true, pull_paused = false");
    await addEndpoint("paused = true, pull_paused = true");
    await addEndpoint("consecutive_failures = 1");
    await addEndpoint("consecutive_failures = 2");
    expect(await figures()).to.deep.equal([
      rowOf("HEALTHY"),
      rowOf("FAILING", { endpoints: 2 }),
      rowOf("SUSPENDED"),
      rowOf("DISABLED"),
      rowOf("PULL"),
      rowOf("PAUSED", { endpoints: 2 }),
    ]);
  });
});
