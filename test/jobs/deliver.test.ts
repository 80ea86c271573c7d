import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type AddressInfo } from "node:net";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { sendNow } from "../../src/core/webhooks/jobs/send-jobs.sql.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { retryGrid } from "../../src/jobs/sending/retry-schedule.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildShop } from "../support/factories.ts";
import { useReceiver, type ReceivedDelivery } from "../support/webhooks/receiver.ts";
import type { TestServer } from "../support/server.ts";
import { useWorld } from "../support/world.ts";
import { SELECT_DELIVERIES } from "../support/webhooks/deliveries.ts";

interface DeliveryRow {
  id: string;
  status: string;
  attempts: number;
  response_status: number | null;
  error: string | null;
  attempted_at: Date | null;
  next_attempt_at: Date | null;
}

async function deliveriesOf(server: TestServer, shop: Shop): Promise<DeliveryRow[]> {
  return query<DeliveryRow>(server.databaseUrl, `${SELECT_DELIVERIES} order by id`, [shop.id]);
}

/** The shop's only delivery, once an attempt was made. */
async function attempted(server: TestServer, shop: Shop, attempts = 1): Promise<DeliveryRow> {
  const rows = await eventually(
    () => deliveriesOf(server, shop),
    (found) => found[0]?.attempts === attempts,
  );
  expect(rows).to.have.length(1);
  return rows[0]!;
}

describe("Webhook delivery", () => {
  const { server, shop, call } = useWorld({ worker: true });
  const receiver = useReceiver();

  async function createProduct(title = "Müg 急須") {
    const { status, json } = await call("POST", "/products", { body: { title, price: 1 } });
    expect(status).to.equal(201);
    return json.product as { id: string; handle: string };
  }

  async function received(count = 1): Promise<ReceivedDelivery[]> {
    return eventually(
      () => receiver.received,
      (all) => all.length >= count,
    );
  }

  it("sends a created product to a subscribed endpoint", async () => {
    await buildEndpoint(server, shop, `${receiver.url}/hooks?shop=1`);
    await createProduct();
    const [delivery] = await received();
    expect(delivery).to.include({ method: "POST", path: "/hooks?shop=1" });
    const row = await attempted(server, shop);
    expect(row).to.include({ status: "SUCCEEDED", response_status: 204, error: null, next_attempt_at: null });
    expect(row.attempted_at).to.be.instanceOf(Date);
    expect(receiver.received).to.have.length(1);
  });

  it("sends exactly the five specified fields", async () => {
    await buildEndpoint(server, shop, receiver.url);
    const before = Date.now();
    const product = await createProduct();
    const [delivery] = await received();
    const body = JSON.parse(delivery!.body.toString());
    expect(Object.keys(body)).to.deep.equal(["id", "topic", "shopId", "createdAt", "data"]);
    expect(body.id).to.match(/^evt_/);
    expect(body).to.deep.include({
      topic: "product.created",
      shopId: shop.id,
      data: { productId: product.id, handle: product.handle, version: 1 },
    });
    expect(body.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(body.createdAt)).to.be.within(before, Date.now());
  });

  it("sends the stored bytes", async () => {
    await buildEndpoint(server, shop, receiver.url);
    await createProduct();
    const [delivery] = await received();
    const [event] = await query<{ id: string; body: string }>(
      server.databaseUrl,
      "select id, body from events where shop_id = $1",
      [shop.id],
    );
    expect(delivery!.body.equals(Buffer.from(event!.body))).to.equal(true);
    expect(JSON.parse(event!.body).id).to.equal(event!.id);
  });

  it("signs the raw body with the secret", async () => {
    const { secret } = await buildEndpoint(server, shop, receiver.url);
    await createProduct();
    const [{ headers, body }] = (await received()) as [ReceivedDelivery];
    const given = String(headers["x-webhook-signature"]);
    expect(given).to.match(/^sha256=[0-9a-f]{64}$/);
    const expected = createHmac("sha256", secret).update(body).digest("hex");
    expect(timingSafeEqual(Buffer.from(given.slice("sha256=".length)), Buffer.from(expected))).to.equal(true);
  });

  it("signs for Standard Webhooks too", async () => {
    const { secret } = await buildEndpoint(server, shop, receiver.url);
    await createProduct();
    const [{ headers, body }] = (await received()) as [ReceivedDelivery];
    for (const verifier of [new Webhook(secret), new SvixWebhook(secret)]) {
      expect(() => verifier.verify(body.toString(), headers as Record<string, string>)).not.to.throw();
      expect(() => verifier.verify(`${body.toString()} `, headers as Record<string, string>)).to.throw();
    }
    expect(JSON.parse(body.toString())).to.include({ topic: "product.created", id: headers["webhook-id"] });
  });

  it("sends Content-Type and User-Agent", async () => {
    await buildEndpoint(server, shop, receiver.url);
    await createProduct();
    const [{ headers }] = (await received()) as [ReceivedDelivery];
    expect(headers["content-type"]).to.equal("application/json");
    expect(headers["x-webhook-topic"]).to.equal("product.created");
    expect(headers["user-agent"]).to.match(/^MerchantAPI-Webhooks\/\d/);
  });

  it("goes to every subscribed endpoint, with separate signatures", async () => {
    const first = await buildEndpoint(server, shop, `${receiver.url}/first`);
    const second = await buildEndpoint(server, shop, `${receiver.url}/second`, ["order.paid", "product.created"]);
    expect(first.secret).not.to.equal(second.secret);
    await createProduct();
    const all = await received(2);
    expect(all.map(({ path }) => path)).to.have.members(["/first", "/second"]);
    expect(all[0]!.body.equals(all[1]!.body)).to.equal(true);
    for (const { path, headers, body } of all) {
      const { secret } = path === "/first" ? first : second;
      const expected = createHmac("sha256", secret).update(body).digest("hex");
      expect(headers["x-webhook-signature"], path).to.equal(`sha256=${expected}`);
    }
  });

  it("goes to no endpoint of another topic or shop", async () => {
    await buildEndpoint(server, shop, `${receiver.url}/other-topic`, ["product.updated", "order.created"]);
    await buildEndpoint(server, await buildShop(server.em), `${receiver.url}/other-shop`);
    await buildEndpoint(server, shop, `${receiver.url}/right`);
    await createProduct();
    await attempted(server, shop);
    expect(receiver.received.map(({ path }) => path)).to.deep.equal(["/right"]);
    const rows = await query(
      server.databaseUrl,
      "select 1 from delivery_states where shop_id <> $1 and status = 'PENDING'",
      [shop.id],
    );
    expect(rows).to.deep.equal([]);
  });

  it("is not repeated for a replayed create", async () => {
    await buildEndpoint(server, shop, receiver.url);
    const options = { body: { title: "Mug", price: 1 }, headers: { "Idempotency-Key": "one" } };
    for (const _ of [1, 2, 3]) await call("POST", "/products", options);
    await attempted(server, shop);
    expect(await deliveriesOf(server, shop)).to.have.length(1);
    expect(receiver.received).to.have.length(1);
  });

  describe("to a failing receiver", () => {
    for (const [what, status] of [
      ["500", 500],
      ["404", 404],
      ["304", 304],
    ] as const) {
      it(`is postponed after ${what}`, async () => {
        await buildEndpoint(server, shop, receiver.url);
        receiver.status = status;
        await createProduct();
        const row = await attempted(server, shop);
        expect(row).to.include({ status: "PENDING", attempts: 1, response_status: status });
        expect(row.error).to.be.a("string");
        const [next, last] = [row.next_attempt_at!.getTime(), row.attempted_at!.getTime()];
        // A fifth more than five seconds at most, rounded up to the grid.
        expect(next).to.be.within(last + 4_000, Date.now() + 6_000 + retryGrid(6_000));
      });
    }

    it("does not follow a redirect", async () => {
      await buildEndpoint(server, shop, `${receiver.url}/old`);
      Object.assign(receiver, { status: 307, answerHeaders: { Location: `${receiver.url}/new` } });
      await createProduct();
      const row = await attempted(server, shop);
      expect(row).to.include({ status: "PENDING", response_status: 307 });
      expect(receiver.received.map(({ path }) => path)).to.deep.equal(["/old"]);
    });

    it("is postponed when the connection is refused", async () => {
      const closed = createServer();
      await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
      const { port } = closed.address() as AddressInfo;
      await new Promise((resolve) => closed.close(resolve));
      await buildEndpoint(server, shop, `http://127.0.0.1:${port}`);
      await createProduct();
      const row = await attempted(server, shop);
      expect(row).to.include({ status: "PENDING", response_status: null, error: "The server refused the connection" });
      expect(row.next_attempt_at!.getTime()).to.be.greaterThan(row.attempted_at!.getTime());
    });

    it("sends the same body on the next attempt", async () => {
      const { endpoint } = await buildEndpoint(server, shop, receiver.url);
      receiver.status = 503;
      await createProduct();
      const { id } = await attempted(server, shop);
      receiver.status = 200;
      await query(server.databaseUrl, "update outstanding_deliveries set next_attempt_at = now() where id = $1", [id]);
      await sendNow(server.em, { shopId: shop.id, endpointId: endpoint.id });
      const row = await attempted(server, shop, 2);
      expect(row).to.include({ status: "SUCCEEDED", response_status: 200, error: null, next_attempt_at: null });
      const [first, second] = await received(2);
      expect(second!.body.equals(first!.body)).to.equal(true);
      expect(second!.headers["webhook-id"]).to.equal(first!.headers["webhook-id"]);
      expect(second!.headers["x-webhook-signature"]).to.equal(first!.headers["x-webhook-signature"]);
    });

    it("does not delay others", async () => {
      receiver.status = 500;
      await buildEndpoint(server, shop, `${receiver.url}/a`);
      await buildEndpoint(server, shop, `${receiver.url}/b`);
      await createProduct("One");
      await createProduct("Two");
      await received(4);
      const rows = await eventually(
        () => deliveriesOf(server, shop),
        (found) => found.every(({ attempts }) => attempts === 1),
      );
      expect(rows).to.have.length(4);
    });
  });
});

describe("Webhook delivery without loopback", () => {
  const { server, shop, call } = useWorld({ worker: true, config: { webhooksAllowLoopback: false } });
  const receiver = useReceiver();

  it("sends nothing to a loopback endpoint that was saved before", async () => {
    await buildEndpoint(server, shop, receiver.url);
    await call("POST", "/products", { body: { title: "Mug", price: 1 } });
    const row = await attempted(server, shop);
    expect(row.response_status).to.equal(null);
    expect(row.error).to.match(/https/);
    expect(receiver.received).to.deep.equal([]);
  });
});
