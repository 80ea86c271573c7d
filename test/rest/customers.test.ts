import { expect } from "chai";
import { OrderStatus } from "../../src/core/model/orders/order.enums.ts";
import { call } from "../support/client.ts";
import { buildCustomer, buildKey, buildOrder, grantStoreCredit } from "../support/factories.ts";
import { itIsPaged } from "../support/requests/rest-reads.ts";
import { useWorld } from "../support/world.ts";

describe("GET /customers", () => {
  const world = useWorld();
  const { server, shop } = world;

  async function list(parameters = "") {
    return world.call("GET", `/customers${parameters}`);
  }

  it("returns customers with exactly the specified fields", async () => {
    const customer = await buildCustomer(server.em, shop, {
      email: "Ada@example.com",
      firstName: "Ada",
      lastName: "",
      phone: "+49 30 1234567",
      createdAt: new Date("2025-11-03T14:05:12.300Z"),
    });
    const { status, json } = await list();
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      customers: [
        {
          id: customer.id,
          email: "Ada@example.com",
          firstName: "Ada",
          lastName: "",
          phone: "+49 30 1234567",
          createdAt: "2025-11-03T14:05:12.300Z",
        },
      ],
      pagination: { page: 1, limit: 50, total: 1, pages: 1 },
    });
  });

  itIsPaged(server, { path: "customers", build: buildCustomer });
});

describe("GET /customers/{customerId}", () => {
  const world = useWorld();
  const { server, shop } = world;

  async function retrieve(id: string) {
    return world.call("GET", `/customers/${id}`);
  }

  it("returns the customer with exactly the specified fields", async () => {
    const customer = await buildCustomer(server.em, shop, {
      email: "ada@example.com",
      phone: null,
      createdAt: new Date("2025-11-03T14:05:12.000Z"),
      updatedAt: new Date("2026-01-31T09:30:00.000Z"),
    });
    const { status, json } = await retrieve(customer.id);
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      customer: {
        id: customer.id,
        email: "ada@example.com",
        firstName: "Ada",
        lastName: "Example",
        phone: null,
        createdAt: "2025-11-03T14:05:12.000Z",
        updatedAt: "2026-01-31T09:30:00.000Z",
        storeCreditBalance: 0,
        _count: { orders: 0 },
      },
    });
  });

  it("sums the store credit ledger exactly", async () => {
    const customer = await buildCustomer(server.em, shop);
    const other = await buildCustomer(server.em, shop);
    for (const amount of ["0.1", "0.2", "12.00", "-4.05"]) await grantStoreCredit(server.em, customer, amount);
    await grantStoreCredit(server.em, other, "100");
    const { json } = await retrieve(customer.id);
    expect(json.customer.storeCreditBalance).to.equal(8.25);
  });

  it("counts the customer's orders in any status", async () => {
    const customer = await buildCustomer(server.em, shop);
    for (const status of Object.values(OrderStatus)) await buildOrder(server.em, shop, { customer, status });
    await buildOrder(server.em, shop, { customer: await buildCustomer(server.em, shop) });
    await buildOrder(server.em, shop);
    const { json } = await retrieve(customer.id);
    expect(json.customer._count).to.deep.equal({ orders: 3 });
  });

  it("includes the number of orders without read_orders", async () => {
    const customer = await buildCustomer(server.em, shop);
    await buildOrder(server.em, shop, { customer });
    const customersOnly = await buildKey(server.em, shop, ["read_customers"]);
    const { status, json } = await call(server, "GET", `/${shop.id}/customers/${customer.id}`, { key: customersOnly });
    expect(status).to.equal(200);
    expect(json.customer._count).to.deep.equal({ orders: 1 });
  });
});
