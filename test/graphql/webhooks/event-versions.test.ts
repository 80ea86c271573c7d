import { expect } from "chai";
import { topicNames } from "../../../src/core/model/webhooks/topics.ts";
import { eventsSince, type RecordedEvent } from "../../support/webhooks/events.ts";
import { useServer } from "../../support/server.ts";
import { Market } from "./market.ts";

const VERSIONS = `query ($shopId: ID!) { shop(id: $shopId) {
  products(limit: 250) { items { id version } } orders(limit: 250) { items { id version } }
  customers(limit: 250) { items { id version } } } }`;

const recordOf = ({ data }: RecordedEvent) => String(data.orderId ?? data.productId ?? data.customerId);
const versionOf = ({ topic, data }: RecordedEvent) => (topic === "order.created" ? 1 : Number(data.version));

describe("Versions in events", () => {
  const server = useServer();
  const market = new Market(server);
  /** Events of each record that a test changed, in the order of their commits. */
  let emitted: Map<string, RecordedEvent[]>;

  beforeEach(async () => {
    await market.open();
    await eventsSince(server, market.shop);
    emitted = new Map();
  });

  async function shownVersions(): Promise<Map<string, number>> {
    const { data } = await market.ask(VERSIONS);
    const { products, orders, customers } = data.shop;
    const records: { id: string; version: number }[] = [...products.items, ...orders.items, ...customers.items];
    return new Map(records.map(({ id, version }) => [id, version]));
  }

  /** Runs a mutation, and compares the versions in its events with the record. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  async function change(mutation: string, variables: object): Promise<any> {
    const answer = await market.run(mutation, { ...variables });
    const shown = await shownVersions();
    for (const [id, events] of Map.groupBy(await eventsSince(server, market.shop), recordOf)) {
      const all = [...(emitted.get(id) ?? []), ...events];
      emitted.set(id, all);
      const { topic } = all.at(-1)!;
      if (topic === "product.deleted") expect(shown.has(id)).to.equal(false);
      else expect(shown.get(id), `${mutation}: ${topic}`).to.equal(versionOf(all.at(-1)!));
    }
    return answer;
  }

  const story = (record: string) => emitted.get(record)!.map((event) => `${event.topic} ${versionOf(event)}`);

  it("match the record, and increase with each event of every topic", async () => {
    const [s, m] = market.mug.variants.map(({ id }) => id);
    const customer = (await change("createCustomer", { input: { email: "bea@example.com" } })).id;
    await change("grantStoreCredit", { customerId: customer, input: { amount: "50", reason: "Goodwill" } });
    await change("updateCustomer", { id: customer, input: { firstName: "Bea" } });
    const bowl = (await change("createProduct", { input: { title: "Bowl", variants: [{ price: "4" }] } })).id;
    await change("updateProducts", {
      inputs: [
        { id: bowl, title: "Big bowl" },
        { id: bowl, description: "Blue." },
        { id: bowl, status: "DRAFT" },
      ],
    });
    await change("deleteProduct", { id: bowl });
    const line = { variantId: s, quantity: 4 };
    const order = await change("createOrder", market.sale({ lines: [line], customerId: customer }));
    const { id } = order;
    await change("updateVariant", { id: m, input: { price: "11" } });
    await change("recordPayment", { orderId: id, input: { method: "STORE_CREDIT", amount: "15" } });
    await change("recordPayment", { orderId: id, input: { method: "CASH", amount: "25" } });
    await change("updateOrder", { id, input: { notes: "Gift" } });
    const unit = { itemId: order.items[0].id, quantity: 1 };
    await change("refundOrder", { id, input: { items: [unit] } });
    await change("refundOrder", { id, input: { items: [{ ...unit, quantity: 2 }], amount: "0" } });
    await change("refundOrder", { id, input: { amount: "5" } });
    await change("setStock", { changes: [s, m].map((variantId) => ({ variantId, quantity: 50 })) });
    const other = (await change("createOrder", market.sale({ lines: [{ variantId: m, quantity: 1 }] }))).id;
    await change("cancelOrder", { id: other, input: {} });
    const paid = await change("createOrder", market.sale(market.credited("20")));
    await change("refundOrder", { id: paid.id, input: { amount: "20" } });

    expect(new Set([...emitted.values()].flat().map(({ topic }) => topic))).to.deep.equal(new Set(topicNames));
    for (const events of emitted.values()) {
      const versions = events.map(versionOf);
      expect(versions, JSON.stringify(events)).to.deep.equal([...new Set(versions)].toSorted((a, b) => a - b));
    }
    expect(story(bowl)).to.deep.equal(["product.created 1", "product.updated 4", "product.deleted 5"]);
    expect(story(other)).to.deep.equal(["order.created 1", "order.cancelled 2"]);
    expect(story(paid.id)).to.deep.equal(["order.created 1", "order.paid 2", "order.refunded 3"]);
  });

  it("are two when a change cancels an order with its last refund", async () => {
    const { id, items } = await change("createOrder", market.sale({ payments: [{ method: "CASH", amount: "8" }] }));
    const units = [{ itemId: items[0].id, quantity: 2 }];
    await change("refundOrder", { id, input: { items: units, amount: "8" } });
    expect(story(id)).to.deep.equal(["order.created 1", "order.refunded 2", "order.cancelled 3"]);
  });

  it("are unique with concurrent changes", async () => {
    const [variant] = market.mug.variants;
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => [
        market.order({ ...market.credited("1"), lines: [{ variantId: variant!.id, quantity: 1 }] }),
        market.run("updateVariant", { id: variant!.id, input: { sku: `s${index}` } }),
        market.run("updateCustomer", { id: market.customer.id, input: { note: `${index}` } }),
      ]).flat(),
    );
    const events = await eventsSince(server, market.shop);
    const shown = await shownVersions();
    for (const id of [market.mug.id, market.customer.id]) {
      const versions = events.filter((event) => recordOf(event) === id).map(versionOf);
      expect(versions.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: 16 }, (_, index) => index + 2));
      expect(shown.get(id)).to.equal(17);
    }
  });
});
