import { expect } from "chai";
import { query } from "../../support/database.ts";
import { buildCustomer } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, FULFILL, PAY, REFUND, SETTLE, UPDATE, useTill } from "../../support/shops/till.ts";

describe("Changing orders", () => {
  const server = useServer();
  const till = useTill(server);

  /** Gives an order 249 more rows like the one that it has. */
  const copyRows = (table: string, orderId: string) =>
    query(
      server.databaseUrl,
      `insert into ${table} select (jsonb_populate_record(original, jsonb_build_object('id', left(original.id, -4) || (1000 + number)))).*
      from ${table} original, generate_series(1, 249) number where order_id = $1`,
      [orderId],
    );

  describe("payments", () => {
    it("add up to PAID, with one order.paid", async () => {
      const { id } = await till.must(CREATE, till.sale());
      await till.takeEvents();
      const first = await till.must(PAY, { id, input: { method: "CASH", amount: "3.80" } });
      expect(first).to.include({ paymentStatus: "PARTIALLY_PAID", receiptNumber: null, version: 2 });
      expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
      const second = await till.must(PAY, { id, input: { method: "CARD", amount: "20.00" } });
      expect(second).to.include({ paymentStatus: "PAID", receiptNumber: "R-000001", version: 3 });
      expect(await till.takeEvents()).to.deep.equal(["order.paid"]);
      const more = await till.refused(PAY, { id, input: { method: "CASH", amount: "0.01" } });
      expect(more).to.deep.equal({ code: "VALIDATION_FAILED", issues: ["amount too_big"] });
    });

    it("can be settled later, and failed ones do not count", async () => {
      const { id } = await till.must(CREATE, till.sale());
      const pending = await till.must(PAY, { id, input: { method: "CARD", amount: "23.80", status: "PENDING" } });
      expect(pending).to.include({ paymentStatus: "UNPAID" });
      const [payment] = pending.payments;
      expect(payment).to.include({ status: "PENDING", processedAt: null });
      expect((await till.refused(PAY, { id, input: { method: "CASH", amount: "1" } })).issues).to.deep.equal([
        "amount too_big",
      ]);
      await till.must(SETTLE, { id: payment.id, input: { status: "AUTHORIZED", reference: "ch_7" } });
      await till.takeEvents();
      const again = await till.must(SETTLE, { id: payment.id, input: { status: "AUTHORIZED" } });
      expect(again.payments[0]).to.include({ status: "AUTHORIZED", reference: "ch_7" });
      expect(await till.takeEvents()).to.deep.equal([]);
      const renamed = await till.must(SETTLE, { id: payment.id, input: { status: "AUTHORIZED", reference: "ch_8" } });
      expect(renamed.payments[0]).to.include({ status: "AUTHORIZED", reference: "ch_8" });
      expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
      await till.must(SETTLE, { id: payment.id, input: { status: "FAILED" } });
      expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
      const retried = await till.must(PAY, { id, input: { method: "CARD", amount: "23.80", status: "AUTHORIZED" } });
      const captured = await till.must(SETTLE, { id: retried.payments[1].id, input: { status: "CAPTURED" } });
      expect(captured).to.include({ paymentStatus: "PAID", receiptNumber: "R-000001" });
      expect(captured.payments[1].processedAt).to.be.a("string");
    });

    it("are limited to 250 per order, like refunds", async () => {
      const { id } = await till.must(CREATE, till.sale());
      await till.must(PAY, { id, input: { method: "CASH", amount: "1" } });
      await copyRows("payments", id);
      expect((await till.refused(PAY, { id, input: { method: "CASH", amount: "1" } })).code).to.equal("LIMIT_REACHED");
      await till.must(REFUND, { id, input: { amount: "0.10" } });
      await copyRows("refunds", id);
      expect((await till.refused(REFUND, { id, input: { amount: "0.10" } })).code).to.equal("LIMIT_REACHED");
    });

    it("are settled once by concurrent requests, and the others are refused", async () => {
      const order = await till.must(CREATE, till.sale());
      const input = { method: "CARD", amount: "23.8", status: "PENDING" };
      const [payment] = (await till.must(PAY, { id: order.id, input })).payments;
      const ways = ["FAILED", "VOIDED"];
      const answers = await Promise.all(ways.map((status) => till.ask(SETTLE, { id: payment.id, input: { status } })));
      const refusals = answers.flatMap(({ errors }) => errors);
      expect(refusals.map(({ extensions }) => extensions.code)).to.deep.equal(["INVALID_STATE"]);
      const first = answers.findIndex(({ errors }) => errors.length === 0);
      const again = await till.must(SETTLE, { id: payment.id, input: { status: ways[first] } });
      expect(again.payments[0].status).to.equal(ways[first]);
      expect(again.version).to.equal(answers[first]!.data.order.version);
    });

    it("show the state after each of several changes in one request", async () => {
      const { id } = await till.must(CREATE, till.sale());
      const pay = (amount: string) =>
        `recordPayment(shopId: $shopId, orderId: $id, input: { method: CASH, amount: "${amount}" }) { payments { amount } }`;
      const { data } = await till.ask(
        `mutation ($shopId: ID!, $id: ID!) { first: ${pay("1")} second: ${pay("2")}
          third: fulfillOrder(shopId: $shopId, id: $id) { items { fulfilledQuantity } payments { amount } } }`,
        { id },
      );
      const [one, two] = [{ amount: "1.00" }, { amount: "2.00" }];
      expect(data).to.deep.equal({
        first: { payments: [one] },
        second: { payments: [one, two] },
        third: { items: [{ fulfilledQuantity: 2 }], payments: [one, two] },
      });
    });

    it("cannot exceed the total with concurrent requests", async () => {
      const { id } = await till.must(CREATE, till.sale());
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => till.ask(PAY, { id, input: { method: "CASH", amount: "11.90" } })),
      );
      expect(answers.filter(({ data }) => data?.order)).to.have.length(2);
    });
  });

  describe("fulfillOrder", () => {
    it("fulfills units line by line until none remain", async () => {
      const order = await till.must(CREATE, till.sale());
      const { id } = order;
      const items = [{ itemId: order.items[0].id, quantity: 1 }];
      await till.takeEvents();
      expect(await till.must(FULFILL, { id, input: { items } })).to.include({
        fulfillmentStatus: "PARTIALLY_FULFILLED",
      });
      expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
      const tooMany = await till.refused(FULFILL, { id, input: { items: [{ ...items[0], quantity: 2 }] } });
      expect(tooMany.issues).to.deep.equal(["items.0.quantity too_big"]);
      const twice = await till.refused(FULFILL, { id, input: { items: [...items, ...items] } });
      expect(twice.issues).to.deep.equal(["items.1.itemId repeated"]);
      expect(await till.must(FULFILL, { id, input: {} })).to.include({ fulfillmentStatus: "FULFILLED", version: 3 });
      expect((await till.refused(FULFILL, { id, input: {} })).code).to.equal("INVALID_STATE");
    });
  });

  describe("cancelOrder", () => {
    it("has stock changes in the order of concurrent changes", async () => {
      const orders = await Promise.all(Array.from({ length: 4 }, () => till.must(CREATE, till.sale())));
      const adjust = `mutation ($shopId: ID!, $changes: [AdjustStockInput!]!) {
        adjustStock(shopId: $shopId, changes: $changes) { error { code } } }`;
      const changes = Array.from({ length: 40 }, () => ({ variantId: till.mug.id, delta: 1, reason: "RECEIVED" }));
      await Promise.all([
        till.ask(adjust, { changes }),
        ...orders.map(({ id }) => till.must(CANCEL, { id, input: {} })),
      ]);
      const { data } = await till.ask(
        `query ($shopId: ID!, $variantId: ID!) { shop(id: $shopId) {
          stockChanges(variantId: $variantId, order: ASC) { items { delta quantityAfter } } } }`,
        { variantId: till.mug.id },
      );
      const history: { delta: number; quantityAfter: number }[] = data.shop.stockChanges.items;
      const before = history.map(({ delta, quantityAfter }) => quantityAfter - delta);
      expect(before.slice(1)).to.deep.equal(history.slice(0, -1).map(({ quantityAfter }) => quantityAfter));
    });

    it("restocks units, voids pending payments, and emits events", async () => {
      const { id } = await till.must(
        CREATE,
        till.sale({ payments: [{ method: "CARD", amount: "5", status: "PENDING" }] }),
      );
      await till.takeEvents();
      const order = await till.must(CANCEL, { id, input: { reason: "Changed their mind" } });
      expect(order).to.include({ status: "CANCELLED", paymentStatus: "VOIDED", cancelReason: "Changed their mind" });
      expect(order.payments[0].status).to.equal("VOIDED");
      expect(order.items[0].restockedQuantity).to.equal(2);
      expect(await till.stockOf(till.mug)).to.equal(10);
      expect(await till.takeEvents()).to.deep.equal(["order.cancelled", "product.updated"]);
      for (const [document, input] of [
        [CANCEL, {}],
        [FULFILL, {}],
        [PAY, { method: "CASH", amount: "1" }],
        [REFUND, { amount: "1" }],
      ] as const) {
        expect((await till.refused(document, { id, input })).code).to.equal("INVALID_STATE");
      }
    });

    it("is refused once units are fulfilled or money is captured", async () => {
      const paid = await till.must(CREATE, till.sale({ payments: [{ method: "CASH", amount: "5" }] }));
      expect((await till.refused(CANCEL, { id: paid.id, input: {} })).code).to.equal("INVALID_STATE");
      const handedOver = await till.must(CREATE, till.sale({ isFulfilled: true }));
      expect((await till.refused(CANCEL, { id: handedOver.id, input: {} })).code).to.equal("INVALID_STATE");
      const refunded = await till.must(REFUND, { id: paid.id, input: { amount: "5" } });
      expect(refunded).to.include({ status: "CONFIRMED", paymentStatus: "REFUNDED" });
      expect((await till.refused(PAY, { id: paid.id, input: { method: "CASH", amount: "1" } })).code).to.equal(
        "INVALID_STATE",
      );
      expect(await till.must(CANCEL, { id: paid.id, input: { restock: false } })).to.include({
        status: "CANCELLED",
        paymentStatus: "REFUNDED",
      });
      expect(await till.stockOf(till.mug)).to.equal(6);
    });
  });

  describe("updateOrder", () => {
    it("changes notes and customer, and writes nothing without a change", async () => {
      const customer = await buildCustomer(server.em, till.shop);
      const { id } = await till.must(CREATE, till.sale({ notes: "First" }));
      await till.takeEvents();
      const order = await till.must(UPDATE, {
        id,
        input: { notes: null, customerId: customer.id },
        expectedVersion: 1,
      });
      expect(order).to.deep.include({ notes: null, customer: { id: customer.id }, version: 2 });
      expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
      expect(await till.must(UPDATE, { id, input: { customerId: customer.id } })).to.include({ version: 2 });
      expect(await till.must(UPDATE, { id, input: {} })).to.include({ version: 2 });
      expect(await till.takeEvents()).to.deep.equal([]);
      expect((await till.refused(UPDATE, { id, input: { customerId: "x" } })).issues).to.deep.equal([
        "customerId not_found",
      ]);
    });
  });

  it("are refused with another version than the expected one", async () => {
    const order = await till.must(CREATE, till.sale());
    const { id } = order;
    const changes: [string, Record<string, unknown>][] = [
      [UPDATE, { notes: "x" }],
      [PAY, { method: "CASH", amount: "1" }],
      [FULFILL, {}],
      [CANCEL, {}],
      [REFUND, { amount: "1" }],
    ];
    for (const [document, input] of changes) {
      expect((await till.refused(document, { id, input, expectedVersion: 7 })).code).to.equal("VERSION_CONFLICT");
    }
    const edits = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        till.ask(UPDATE, { id, input: { notes: `${index}` }, expectedVersion: 1 }),
      ),
    );
    expect(edits.filter(({ data }) => data?.order)).to.have.length(1);
  });
});
