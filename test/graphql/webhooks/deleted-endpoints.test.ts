import { expect } from "chai";
import { purgeExpired } from "../../../src/jobs/retention/purge-expired.sql.ts";
import { codesOf } from "../../support/browser/browser.ts";
import { eventually } from "../../support/eventually.ts";
import { buildEndpoint } from "../../support/factories.ts";
import type { Variables } from "../../support/world.ts";
import { useWebhookShop } from "../../support/webhooks/webhook-shop.ts";

describe("A deleted webhook endpoint", () => {
  describe("without a worker", () => {
    const shop = useWebhookShop();
    const { server } = shop;

    const remove = async (id = shop.endpointId) =>
      expect(await shop.run("deleteWebhookEndpoint", { id })).to.equal(true);
    const listDeleted = () => shop.run("deletedWebhookEndpoints");
    const list = (filter: Variables = {}) => shop.run("webhookDeliveries", { limit: 5, ...filter });

    it("keeps its log, with filters", async () => {
      await shop.change(2);
      await shop.sql("update outstanding_deliveries set status = 'FAILED', next_attempt_at = null where shop_id = $1");
      await shop.sql(
        "update webhook_endpoints set url = url || '?token=secret' where shop_id = $1 and id = $2",
        shop.endpointId,
      );
      const [first] = (await list()).items;
      await remove();
      const [deleted] = await listDeleted();
      const url = `${shop.receiver.url}/${shop.shop.id}`;
      expect(deleted).to.deep.include({ id: shop.endpointId, url });
      expect(Date.parse(deleted.deletedAt)).to.be.within(Date.now() - 60_000, Date.now() + 60_000);
      const { endpoint: other } = await buildEndpoint(server, shop.shop, `${shop.receiver.url}/other`);
      for (const filter of [
        {},
        { endpointId: shop.endpointId },
        { topic: "product.created" },
        { statuses: ["FAILED"] },
      ]) {
        const { total, items } = await list(filter);
        expect(total, JSON.stringify(filter)).to.equal(2);
        for (const item of items) {
          expect(item).to.deep.include({ endpoint: null, deletedEndpoint: deleted });
        }
      }
      expect((await list({ eventId: first.eventId })).items.map(({ id }: { id: string }) => id)).to.deep.equal([
        first.id,
      ]);
      expect((await list({ endpointId: other.id })).total).to.equal(0);
      const one = await shop.run("webhookDelivery", { id: first.id });
      expect(one).to.deep.include({ id: first.id, endpoint: null, deletedEndpoint: deleted });
      expect(JSON.parse(one.body).id).to.equal(first.eventId);
    });

    it("refuses replays", async () => {
      await shop.change(1);
      const [{ id }] = (await list()).items;
      await remove();
      for (const { data, errors } of [await shop.tryReplay(id), await shop.tryReplayFailed()]) {
        expect(codesOf({ errors })).to.deep.equal(["INVALID_STATE"]);
        expect(errors[0]!.message).to.equal("The endpoint was deleted");
        expect(data).to.equal(null);
      }
      expect(codesOf(await shop.trySendTest())).to.deep.equal(["NOT_FOUND"]);
      await shop.change(1);
      expect((await list()).total).to.equal(1);
    });

    it("has no log without deliveries", async () => {
      await remove();
      expect(await listDeleted()).to.deep.equal([]);
    });

    it("is purged after 30 days, with its deliveries", async () => {
      await shop.change(1);
      await remove();
      const age = (days: number) =>
        shop.sql(
          `update deleted_webhook_endpoints set deleted_at = now() - interval '${days} days' where shop_id = $1`,
        );
      const purge = () => purgeExpired(server.em, new AbortController().signal);
      await age(29);
      await purge();
      expect(await listDeleted()).to.have.length(1);
      await age(31);
      await purge();
      expect(await listDeleted()).to.deep.equal([]);
    });
  });

  describe("with pending deliveries", () => {
    const shop = useWebhookShop({ worker: true });

    it("fails them, including tests, with a reason", async () => {
      const release = shop.receiver.hold();
      await shop.setEndpoint("paused = true");
      await shop.change(3);
      await shop.sql(
        `update deliveries set is_test = true where shop_id = $1 and id = (
          select min(id) from deliveries where shop_id = $1)`,
      );
      await shop.sql(
        `update outstanding_deliveries set is_test = true, next_attempt_at = now() + interval '1 hour'
        where shop_id = $1 and id = (select min(id) from deliveries where shop_id = $1)`,
      );
      await shop.run("deleteWebhookEndpoint", { id: shop.endpointId });
      const rows = await eventually(shop.deliveries, (all) => all.every(({ status }) => status === "FAILED"));
      release();
      expect(rows.map(({ error_class: errorClass, error }) => [errorClass, error])).to.deep.equal(
        [1, 2, 3].map(() => ["ENDPOINT_DISABLED", "The endpoint was deleted"]),
      );
    });
  });
});
