import { join } from "node:path";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { ensureDemo, type Demo } from "../src/demo/create-demo.ts";
import { call } from "./support/client.ts";
import { query } from "./support/database.ts";
import { eventually } from "./support/eventually.ts";
import { makeDirectory } from "./support/directory.ts";
import { askGraphql, logIn } from "./support/graphql.ts";
import { useReceiver } from "./support/webhooks/receiver.ts";
import { useServer } from "./support/server.ts";

/** A day in the demo shop. Each step runs in GraphQL, is visible in REST, and sends webhooks. */
describe("The demo shop's story", () => {
  const server = useServer({ worker: true, config: { webhooksAllowLoopback: true } });
  const receiver = useReceiver();
  let directory: string;
  let shop: Demo["shops"][number];
  let session: { cookie: string };
  let secret: string;
  let mug: { id: string; variantId: string };
  // oxlint-disable-next-line typescript/no-explicit-any -- as the step before left it
  let order: any;

  before("open the demo shop", async () => {
    directory = await makeDirectory();
    const demo = await ensureDemo(server.em, { file: join(directory, "demo.json"), baseUrl: server.url });
    shop = demo.shops[0]!;
    session = await logIn(server, shop.staff[0]!);
  });

  /** The answer of a mutation of the shop. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  async function act(mutation: string, variables: Record<string, unknown> = {}): Promise<any> {
    const { data, errors } = await askGraphql(server, mutation, { shopId: shop.id, ...variables }, session);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return Object.values(data)[0];
  }

  async function see(path: string) {
    const { status, json } = await call(server, "GET", `/${shop.id}${path}`, { key: shop.apiKeys[0]!.secret });
    expect(status).to.equal(200);
    return json;
  }

  /** The webhooks since the last step: exactly these topics, each signed. */
  async function hear(...topics: string[]) {
    const heard = await eventually(
      () => receiver.received,
      (all) => all.length >= topics.length,
    );
    const bodies = heard.map(({ headers, body }) => {
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
      return JSON.parse(body.toString()) as { topic: string; data: Record<string, unknown> };
    });
    receiver.received = [];
    expect(bodies.map(({ topic }) => topic)).to.have.members(topics);
    return (topic: string) => bodies.find((body) => body.topic === topic)!.data;
  }

  async function stock(): Promise<number> {
    const { product } = await see(`/products/${mug.id}`);
    return product.variants[0].inventoryQuantity;
  }

  it("starts with consistent fulfillment of orders and lines", async () => {
    const rows = await query<{ fulfillment_status: string; all: boolean; none: boolean }>(
      server.databaseUrl,
      `select fulfillment_status, bool_and(fulfilled_quantity = quantity) as "all", bool_and(fulfilled_quantity = 0) as none
      from orders o join order_items i on i.shop_id = o.shop_id and i.order_id = o.id where o.shop_id = $1 group by 1`,
      [shop.id],
    );
    expect(rows).to.have.deep.members([
      { fulfillment_status: "FULFILLED", all: true, none: false },
      { fulfillment_status: "UNFULFILLED", all: false, none: true },
    ]);
  });

  it("opens: the owner adds an endpoint and a mug", async () => {
    ({ secret } = await act(
      `mutation ($shopId: ID!, $input: CreateWebhookEndpointInput!) {
        createWebhookEndpoint(shopId: $shopId, input: $input) { secret } }`,
      {
        input: {
          url: `${receiver.url}/hooks`,
          topics: [
            "product.created",
            "product.updated",
            "order.created",
            "order.paid",
            "order.updated",
            "order.refunded",
            "order.cancelled",
          ],
        },
      },
    ));
    const product = await act(
      `mutation ($shopId: ID!, $input: CreateProductInput!) {
        createProduct(shopId: $shopId, input: $input) { id handle variants { id } } }`,
      { input: { title: "Story Mug", variants: [{ price: "14.50", sku: "STORY", inventoryQuantity: 3 }] } },
    );
    mug = { id: product.id, variantId: product.variants[0].id };
    const heard = await hear("product.created");
    expect(heard("product.created")).to.deep.equal({ productId: mug.id, handle: "story-mug", version: 1 });
    expect((await see("/products?search=story+mug")).products[0]).to.include({ id: mug.id, title: "Story Mug" });
  });

  it("sells two at the till", async () => {
    order = await act(
      `mutation ($shopId: ID!, $input: CreateOrderInput!) {
        createOrder(shopId: $shopId, input: $input) { id orderNumber items { id } } }`,
      { input: { channel: "POS", lines: [{ variantId: mug.variantId, quantity: 2, taxRate: "19" }] } },
    );
    expect(order.orderNumber).to.equal("1901");
    const heard = await hear("order.created", "product.updated");
    expect(heard("order.created")).to.deep.equal({ orderId: order.id, orderNumber: "1901" });
    expect((await see("/orders?limit=1")).orders[0]).to.include({ id: order.id, status: "CONFIRMED", total: 34.51 });
    expect(await stock()).to.equal(1);
  });

  it("is paid, and gets a receipt number", async () => {
    await act(
      `mutation ($shopId: ID!, $id: ID!, $input: PaymentInput!) {
        recordPayment(shopId: $shopId, orderId: $id, input: $input) { receiptNumber } }`,
      { id: order.id, input: { method: "CARD", amount: "34.51", reference: "terminal-7/991" } },
    );
    expect((await hear("order.paid"))("order.paid")).to.include({ orderId: order.id });
    const { order: seen } = await see(`/orders/${order.id}`);
    expect(seen).to.include({ receiptNumber: "R-000901", totalAmount: 34.51 });
    expect(seen.payments[0]).to.include({ method: "CARD", status: "CAPTURED", amount: 34.51, refundedAmount: 0 });
  });

  it("fulfills the order", async () => {
    await act("mutation ($shopId: ID!, $id: ID!) { fulfillOrder(shopId: $shopId, id: $id) { fulfillmentStatus } }", {
      id: order.id,
    });
    expect((await hear("order.updated"))("order.updated")).to.include({ orderId: order.id });
  });

  it("refunds and restocks one mug", async () => {
    await act(
      `mutation ($shopId: ID!, $id: ID!, $input: RefundOrderInput!) {
        refundOrder(shopId: $shopId, id: $id, input: $input) { refundedAmount } }`,
      { id: order.id, input: { items: [{ itemId: order.items[0].id, quantity: 1 }], reason: "Not the color" } },
    );
    const heard = await hear("order.refunded", "product.updated");
    expect(heard("order.refunded")).to.include({ orderId: order.id, amount: 17.26, currency: "EUR" });
    const { order: seen } = await see(`/orders/${order.id}`);
    expect(seen.status).to.equal("CONFIRMED");
    expect(seen.payments[0].refundedAmount).to.equal(17.26);
    expect(await stock()).to.equal(2);
  });

  it("refunds the rest, and the order is REFUNDED", async () => {
    await act(
      `mutation ($shopId: ID!, $id: ID!) {
        refundOrder(shopId: $shopId, id: $id, input: { amount: "17.25", reason: "Goodwill" }) { status } }`,
      { id: order.id },
    );
    expect((await hear("order.refunded"))("order.refunded")).to.include({ amount: 17.25 });
    expect((await see(`/orders/${order.id}`)).order.status).to.equal("REFUNDED");
    expect(await stock()).to.equal(2);
  });

  it("cancels an unpaid storefront order, and restocks its mugs", async () => {
    const regretted = await act(
      `mutation ($shopId: ID!, $input: CreateOrderInput!) { createOrder(shopId: $shopId, input: $input) { id } }`,
      { input: { channel: "STOREFRONT", lines: [{ variantId: mug.variantId, quantity: 2 }] } },
    );
    await hear("order.created", "product.updated");
    expect(await stock()).to.equal(0);
    await act("mutation ($shopId: ID!, $id: ID!) { cancelOrder(shopId: $shopId, id: $id) { status } }", {
      id: regretted.id,
    });
    expect((await hear("order.cancelled", "product.updated"))("order.cancelled")).to.include({ orderId: regretted.id });
    expect((await see(`/orders/${regretted.id}`)).order.status).to.equal("CANCELLED");
    expect(await stock()).to.equal(2);
  });
});
