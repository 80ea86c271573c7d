import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import pLimit from "p-limit";
import { operator } from "../../src/core/access/actor.ts";
import { deleteProduct } from "../../src/core/products/edits/edit-product.ts";
import { updateProduct } from "../../src/core/products/edits/update-product.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

describe("The delivery engine", () => {
  const shop = useWebhookShop({ worker: true });
  const { server, receiver, deliveries, attempts, endpoint } = shop;

  /** Makes changes, no more at once than the pool serves on a slow machine. */
  const change = (count: number) => {
    const inTurn = pLimit(20);
    return Promise.all(Array.from({ length: count }, () => inTurn(() => buildProduct(server.em, shop.shop))));
  };
  /** The requests of this test. Retries of earlier tests have other paths. */
  const received = () => receiver.received.filter(({ path }) => path === `/${shop.shop.id}`);
  const probeNow = () => shop.setEndpoint("probe_at = now()");
  const makeDue = () => shop.sql("update outstanding_deliveries set next_attempt_at = now() where shop_id = $1");
  /** Settles when every attempt is recorded. */
  const settled = () => eventually(attempts, (rows) => rows.length === received().length);

  it("sends each event of a burst once, and logs each attempt", async () => {
    await change(300);
    const rows = await eventually(deliveries, (found) => found.every(({ status }) => status === "SUCCEEDED"));
    expect(rows).to.have.length(300);
    expect(new Set(received().map(({ headers }) => headers["webhook-id"])).size).to.equal(300);
    expect(received()).to.have.length(300);
    expect(await attempts()).to.have.length(300);
  });

  it("logs failures with the receiver's response", async () => {
    receiver.status = 500;
    await change(1);
    await eventually(attempts, (rows) => rows.length === 1);
    const [row] = await shop.sql("select * from delivery_attempts where shop_id = $1");
    expect(row).to.include({ response_status: 500, error_class: "HTTP_STATUS", is_probe: false, response_body: "" });
    expect(row!.total_ms).to.be.at.least(0);
  });

  it("waits for the time of Retry-After", async () => {
    Object.assign(receiver, { status: 429, answerHeaders: { "Retry-After": "3600" } });
    await change(1);
    const [row] = await eventually(deliveries, (rows) => rows[0]?.attempts === 1);
    const [next, attempted] = [row!.next_attempt_at!.getTime(), row!.attempted_at!.getTime()];
    // The worker estimates the database's clock, to some milliseconds under load.
    expect(next).to.be.within(attempted + 3_599_000, Date.now() + 3_600_000);
  });

  it("disables a gone endpoint, and sends nothing more", async () => {
    receiver.status = 410;
    await change(1);
    await eventually(deliveries, (rows) => rows[0]?.status === "FAILED");
    expect((await endpoint()).disabled_reason).to.equal("GONE");
    receiver.status = 204;
    await change(2);
    await wait(1_500);
    expect(received()).to.have.length(1);
  });

  it("goes on with other topics while a topic fails, and with each topic once it recovers", async function () {
    this.timeout(30_000);
    await shop.setEndpoint("topics = '{product.created,product.updated,product.deleted}'");
    const operation = { em: server.em, shop: shop.shop, actor: operator };
    const products = await change(30);
    await eventually(deliveries, (rows) => rows.every(({ status }) => status === "SUCCEEDED"));
    const broken = new Set<unknown>(["product.updated", "product.deleted"]);
    receiver.status = (headers) => (broken.has(headers["x-webhook-topic"]) ? 500 : 204);
    const inTurn = pLimit(5);
    const update = ({ id }: { id: string }) =>
      inTurn(() => updateProduct({ ...operation, em: server.em.fork() }, { id, request: { title: "Other" } }));
    await Promise.all(products.map(update));
    await eventually(endpoint, (row) => row.probe_at !== null);
    const topics = () => received().map(({ headers }) => headers["x-webhook-topic"]);
    const count = (topic: string) => topics().filter((one) => one === topic).length;
    const open = async () => expect((await endpoint()).probe_at).not.to.equal(null);

    await change(3);
    await eventually(
      () => count("product.created"),
      (created) => created === 33,
    );
    for (const { id } of products.slice(0, 10)) await deleteProduct(operation, id);
    await eventually(
      async () => (await endpoint()).failing_topics["product.deleted"],
      (failures) => failures! >= 10,
    );
    await settled();
    await open();
    expect((await endpoint()).failing_topics).to.have.all.keys("product.updated", "product.deleted");

    // A round asks each topic that fails.
    const [updates, deletions] = [count("product.updated"), count("product.deleted")];
    broken.delete("product.deleted");
    await makeDue();
    await probeNow();
    await eventually(deliveries, (rows) => rows.filter(({ status }) => status !== "SUCCEEDED").length === 30);
    await settled();
    expect([count("product.updated"), count("product.deleted")]).to.deep.equal([updates + 1, deletions + 10]);
    await deleteProduct(operation, products[10]!.id);
    await eventually(
      () => count("product.deleted"),
      (deleted) => deleted === deletions + 11,
    );
    await open();

    broken.clear();
    await makeDue();
    await probeNow();
    await eventually(deliveries, (rows) => rows.every(({ status }) => status === "SUCCEEDED"));
    expect(await endpoint()).to.include({ probe_at: null, consecutive_failures: 0 });
  });

  it("suspends a failing endpoint, probes with one real event, and sends the rest in order after recovery", async function () {
    this.timeout(30_000);
    receiver.status = 500;
    await change(15);
    await eventually(endpoint, (row) => row.probe_at !== null);
    await change(30);
    await wait(1_500);
    const { length: failed } = received();
    expect(failed, "nothing while the circuit is open").to.be.within(10, 15);

    await probeNow();
    await eventually(endpoint, (row) => row.failed_probes === 1);
    expect(received(), "one probe").to.have.length(failed + 1);
    expect((await attempts()).filter((attempt) => attempt.is_probe)).to.have.length(1);
    const before = await deliveries();
    expect(
      before
        .map(({ attempts: count }) => count)
        .toSorted()
        .at(-1),
      "probes are not counted",
    ).to.equal(1);

    receiver.status = 204;
    await makeDue();
    await probeNow();
    const rows = await eventually(deliveries, (found) => found.every(({ status }) => status === "SUCCEEDED"));
    expect(rows).to.have.length(45);
    expect(await endpoint()).to.include({ consecutive_failures: 0, probe_at: null, failing_since: null });
  });

  describe("beside a hanging receiver", () => {
    const answers: ServerResponse[] = [];
    let hanging: Server;
    let most = 0;
    let open = 0;

    before(async () => {
      hanging = createServer((request, response) => {
        open += 1;
        most = Math.max(most, open);
        answers.push(response);
        request.on("close", () => (open -= 1));
      });
      await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    });

    after(() => {
      hanging.closeAllConnections();
      hanging.close();
    });

    it("serves the others, with only a few connections to it", async () => {
      const { port } = hanging.address() as AddressInfo;
      const ill = await buildShop(server.em);
      await buildEndpoint(server, ill, `http://127.0.0.1:${port}/`);
      await Promise.all(Array.from({ length: 60 }, () => buildProduct(server.em, ill)));
      await eventually(
        () => answers.length,
        (count) => count >= 20,
      );
      await change(20);
      await eventually(deliveries, (rows) => rows.length === 20 && rows.every(({ status }) => status === "SUCCEEDED"));
      // The others did not wait for one of these to time out, or a further one would have come.
      expect(answers).to.have.length(20);
      expect(most).to.equal(20);
      for (const response of answers) response.writeHead(204).end();
    });
  });
});
