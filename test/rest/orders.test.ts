import { expect } from "chai";
import { Channel, OrderStatus } from "../../src/core/model/orders/order.enums.ts";
import { PaymentMethod, PaymentStatus } from "../../src/core/model/orders/payment.enums.ts";
import { call } from "../support/client.ts";
import { buildCustomer, buildKey, buildOrder } from "../support/factories.ts";
import { itIsPaged } from "../support/requests/rest-reads.ts";
import { useWorld } from "../support/world.ts";

describe("GET /orders", () => {
  const world = useWorld();
  const { server, shop } = world;

  async function list(parameters = "") {
    return world.call("GET", `/orders${parameters}`);
  }

  it("returns orders with exactly the specified fields", async () => {
    const order = await buildOrder(server.em, shop, {
      orderNumber: "1042",
      receiptNumber: "R-000713",
      totalAmount: "34.51",
      customer: await buildCustomer(server.em, shop),
      createdAt: new Date("2026-01-31T09:30:00.007Z"),
    });
    const { status, json } = await list();
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      orders: [
        {
          id: order.id,
          orderNumber: "1042",
          status: "CONFIRMED",
          channel: "POS",
          total: 34.51,
          currency: "EUR",
          createdAt: "2026-01-31T09:30:00.007Z",
        },
      ],
      pagination: { page: 1, limit: 50, total: 1, pages: 1 },
    });
  });

  it("returns orders of every channel and status", async () => {
    await buildOrder(server.em, shop, { status: OrderStatus.CANCELLED, channel: Channel.STOREFRONT });
    await buildOrder(server.em, shop, { status: OrderStatus.REFUNDED });
    const { json } = await list();
    expect(json.orders[0]).to.include({ status: "REFUNDED", channel: "POS" });
    expect(json.orders[1]).to.include({ status: "CANCELLED", channel: "STOREFRONT" });
  });

  itIsPaged(server, { path: "orders", build: buildOrder });
});

describe("GET /orders/{orderId}", () => {
  const world = useWorld();
  const { server, shop } = world;

  async function retrieve(id: string) {
    return world.call("GET", `/orders/${id}`);
  }

  it("returns the order with exactly the specified fields", async () => {
    const customer = await buildCustomer(server.em, shop, { email: "ada@example.com" });
    const order = await buildOrder(server.em, shop, {
      orderNumber: "1042",
      receiptNumber: "R-000713",
      totalAmount: "46.41",
      customer,
      items: [
        {
          title: "Mug",
          variantTitle: "Sand",
          sku: "MUG-S",
          quantity: 3,
          unitPrice: "14.50",
          discountAmount: "4.5",
          taxAmount: "7.41",
          totalAmount: "46.41",
        },
      ],
      payments: [
        {
          method: PaymentMethod.CASH,
          amount: "46.41",
          refundedAmount: "1.10",
          reference: "till-3",
          processedAt: new Date("2026-01-31T09:30:02.000Z"),
        },
      ],
    });
    const { status, json } = await retrieve(order.id);
    expect(status).to.equal(200);
    const [item] = order.items;
    expect(json).to.deep.equal({
      order: {
        id: order.id,
        orderNumber: "1042",
        receiptNumber: "R-000713",
        status: "CONFIRMED",
        totalAmount: 46.41,
        currency: "EUR",
        customer: { id: customer.id, email: "ada@example.com" },
        items: [
          {
            id: item!.id,
            productId: item!.productId,
            variantId: item!.variantId,
            title: "Mug",
            variantTitle: "Sand",
            sku: "MUG-S",
            quantity: 3,
            unitPrice: 14.5,
            discountAmount: 4.5,
            taxAmount: 7.41,
            totalAmount: 46.41,
          },
        ],
        payments: [
          {
            id: order.payments[0]!.id,
            method: "CASH",
            status: "CAPTURED",
            amount: 46.41,
            refundedAmount: 1.1,
            currency: "EUR",
            reference: "till-3",
            processedAt: "2026-01-31T09:30:02.000Z",
          },
        ],
      },
    });
  });

  it("has no customer for a walk-in sale, no receipt number without a receipt, and no payments without any", async () => {
    const order = await buildOrder(server.em, shop, { customer: null, receiptNumber: null, payments: [] });
    const { json } = await retrieve(order.id);
    expect(json.order).to.deep.include({ customer: null, receiptNumber: null, payments: [] });
  });

  it("returns the lines in order", async () => {
    const titles = ["First", "Second", "Third"];
    const order = await buildOrder(server.em, shop, {
      items: titles.map((title, index) => ({ title, position: index + 1 })).toReversed(),
    });
    const { json } = await retrieve(order.id);
    expect(json.order.items.map((item: { title: string }) => item.title)).to.deep.equal(titles);
  });

  it("returns payments of every method and status, oldest first", async () => {
    const states = Object.values(PaymentStatus);
    const payments = Object.values(PaymentMethod).map((method, index) => ({
      method,
      status: states[index]!,
      reference: null,
      processedAt: null,
      createdAt: new Date(Date.UTC(2026, 0, index + 1)),
    }));
    const order = await buildOrder(server.em, shop, { payments: payments.toReversed() });
    const { json } = await retrieve(order.id);
    const shown = json.order.payments.map(({ method, status }: Record<string, string>) => ({ method, status }));
    expect(shown).to.deep.equal(payments.map(({ method, status }) => ({ method, status })));
    for (const payment of json.order.payments) expect(payment).to.include({ reference: null, processedAt: null });
  });

  it("includes the customer's ID and email without read_customers", async () => {
    const customer = await buildCustomer(server.em, shop);
    const order = await buildOrder(server.em, shop, { customer });
    const ordersOnly = await buildKey(server.em, shop, ["read_orders"]);
    const { status, json } = await call(server, "GET", `/${shop.id}/orders/${order.id}`, { key: ordersOnly });
    expect(status).to.equal(200);
    expect(json.order.customer).to.deep.equal({ id: customer.id, email: customer.email });
  });
});
