import { expect } from "chai";
import { query } from "../../support/database.ts";
import { buildCustomer, grantStoreCredit } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CREATE, REFUND, useTill } from "../../support/shops/till.ts";

describe("Refunding orders", () => {
  const server = useServer();
  const till = useTill(server);

  describe("refundOrder", () => {
    async function buyPlates() {
      const lines = [{ variantId: till.plate.id, quantity: 3, taxRate: "7" }];
      return till.must(
        CREATE,
        till.sale({ lines, payments: [{ method: "CARD", amount: "10.69" }], isFulfilled: true }),
      );
    }

    it("refunds units to the cent, one by one, and restocks them", async () => {
      const { id, items, totalAmount } = await buyPlates();
      expect(totalAmount).to.equal("10.69");
      await till.takeEvents();
      const unit = { itemId: items[0].id, quantity: 1 };
      const first = await till.must(REFUND, { id, input: { items: [unit], reason: "Broken" } });
      expect(first).to.include({ status: "CONFIRMED", paymentStatus: "PARTIALLY_REFUNDED" });
      expect(await till.takeEvents()).to.deep.equal(["order.refunded", "product.updated"]);
      await till.must(REFUND, { id, input: { items: [{ ...unit, restock: false }] } });
      expect(await till.takeEvents()).to.deep.equal(["order.refunded"]);
      const last = await till.must(REFUND, { id, input: { items: [unit] } });
      expect(last).to.include({ status: "REFUNDED", paymentStatus: "REFUNDED", refundedAmount: "10.69" });
      expect(last.refunds.map(({ amount }: { amount: string }) => amount)).to.deep.equal(["3.56", "3.57", "3.56"]);
      expect(last.refunds.map(({ taxAmount }: { taxAmount: string }) => taxAmount)).to.deep.equal([
        "0.23",
        "0.24",
        "0.23",
      ]);
      expect(last.refunds[0].items).to.deep.equal([
        { itemId: items[0].id, quantity: 1, taxAmount: "0.23", restocked: true },
      ]);
      expect(last.items[0]).to.include({ refundedQuantity: 3, restockedQuantity: 2 });
      expect(await till.stockOf(till.plate)).to.equal(9);
    });

    it("refunds an amount through the oldest payments first", async () => {
      const payments = [
        { method: "CASH", amount: "3.80" },
        { method: "CARD", amount: "20" },
      ];
      const { id } = await till.must(CREATE, till.sale({ payments }));
      await till.takeEvents();
      const order = await till.must(REFUND, { id, input: { amount: "5" } });
      const [cash, card] = order.payments;
      expect([cash.refundedAmount, card.refundedAmount]).to.deep.equal(["3.80", "1.20"]);
      const shares = order.refunds[0].payments.map((share: { paymentId: string; amount: string }) => [
        share.paymentId,
        Number(share.amount),
      ]);
      expect(shares).to.have.deep.members([
        [cash.id, 3.8],
        [card.id, 1.2],
      ]);
      const [event] = await till.sql<{ body: string }>(
        "select body from events where shop_id = $1 and topic = 'order.refunded'",
      );
      const { data } = JSON.parse(event!.body);
      expect(data).to.deep.equal({
        orderId: id,
        orderNumber: "1001",
        version: 3,
        refundId: order.refunds[0].id,
        amount: 5,
        currency: "EUR",
      });
      const named = await till.must(REFUND, { id, input: { amount: "8.80", paymentId: card.id } });
      expect(named.payments[1].refundedAmount).to.equal("10.00");
    });

    it("shares the tax of an amount over the lines, and refunds no tax of a line twice", async () => {
      const lines = [
        { variantId: till.mug.id, quantity: 2, taxRate: "19" },
        { variantId: till.plate.id, quantity: 1 },
      ];
      const payments = [{ method: "CARD", amount: "27.13" }];
      const { id, items } = await till.must(CREATE, till.sale({ lines, payments, isFulfilled: true }));
      const units = (line: number, quantity: number) => [{ itemId: items[line].id, quantity }];
      const steps = [
        // 11.90 of 23.80 with 3.80 tax, and 1.66 of 3.33 without.
        [{ amount: "13.56" }, "1.90", []],
        [{ items: units(0, 1), amount: "0" }, "0.00", ["0.00"]],
        // The price of the unit is 11.90, of which 1 cent is left to the other line.
        [{ items: units(0, 1) }, "1.90", ["1.90"]],
        [{ items: units(1, 1), amount: "1.67" }, "0.00", ["0.00"]],
      ] as const;
      for (const [input, taxAmount, ofItems] of steps) {
        const { refunds } = await till.must(REFUND, { id, input });
        const refund = refunds.at(-1);
        expect(refund, JSON.stringify(input)).to.include({ taxAmount });
        expect(refund.items.map((item: { taxAmount: string }) => item.taxAmount)).to.deep.equal(ofItems);
      }
    });

    it("refunds store credit to the customer", async () => {
      const customer = await buildCustomer(server.em, till.shop);
      await grantStoreCredit(server.em, customer, "30.00");
      const payments = [{ method: "STORE_CREDIT", amount: "23.80" }];
      const { id } = await till.must(CREATE, till.sale({ customerId: customer.id, payments }));
      await till.takeEvents();
      await till.must(REFUND, { id, input: { amount: "23.80" } });
      expect(await till.takeEvents()).to.deep.equal(["customer.updated", "order.refunded"]);
      const [row] = await query<{ balance: string }>(
        server.databaseUrl,
        "select sum(amount)::float8::text as balance from store_credit_entries where customer_id = $1",
        [customer.id],
      );
      expect(row!.balance).to.equal("30");
    });

    it("never refunds more than was captured, also with concurrent requests", async () => {
      const { id, items } = await buyPlates();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => till.ask(REFUND, { id, input: { amount: "4" } })),
      );
      expect(answers.filter(({ data }) => data?.order)).to.have.length(2);
      expect((await till.refused(REFUND, { id, input: { amount: "2.70" } })).issues).to.deep.equal(["amount too_big"]);
      const units = [{ itemId: items[0].id, quantity: 3 }];
      expect((await till.refused(REFUND, { id, input: { items: units } })).issues).to.deep.equal(["items too_big"]);
      expect(await till.must(REFUND, { id, input: { items: units, amount: "2.69" } })).to.include({
        status: "REFUNDED",
      });
      expect((await till.refused(REFUND, { id, input: { amount: "0.01" } })).code).to.equal("INVALID_STATE");
    });

    it("reports mistakes", async () => {
      const { id } = await buyPlates();
      for (const [input, issue] of [
        [{}, "amount required"],
        [{ amount: "0" }, "amount too_small"],
        [{ amount: "0.001" }, "amount too_many_decimals"],
        [{ amount: "1", paymentId: "nonsense" }, "paymentId not_found"],
        [{ items: [] }, "items too_small"],
        [{ items: [{ itemId: "nonsense", quantity: 1 }] }, "items.0.itemId not_found"],
      ] as const) {
        expect((await till.refused(REFUND, { id, input })).issues).to.deep.equal([issue]);
      }
    });

    it("does not restock deleted variants", async () => {
      const { id, items } = await buyPlates();
      await query(server.databaseUrl, "delete from products where id = $1", [till.productId]);
      const order = await till.must(REFUND, { id, input: { items: [{ itemId: items[0].id, quantity: 1 }] } });
      expect(order.items[0]).to.include({ refundedQuantity: 1, restockedQuantity: 0, sku: "PLATE" });
    });

    it("reports for each line whether its units were restocked", async () => {
      const lines = [till.mug, till.plate].map(({ id: variantId }) => ({ variantId, quantity: 1 }));
      const { id, items } = await till.must(
        CREATE,
        till.sale({ lines, payments: [{ method: "CARD", amount: "13.33" }], isFulfilled: true }),
      );
      await query(server.databaseUrl, "delete from variants where id = $1", [till.plate.id]);
      const units = items.map((item: { id: string }) => ({ itemId: item.id, quantity: 1 }));
      const { refunds } = await till.must(REFUND, { id, input: { items: units } });
      expect(refunds[0].items).to.have.deep.members([
        { itemId: items[0].id, quantity: 1, taxAmount: "0.00", restocked: true },
        { itemId: items[1].id, quantity: 1, taxAmount: "0.00", restocked: false },
      ]);
      const changes = "select variant_id from stock_changes where shop_id = $1 and reason = 'RETURNED'";
      expect(await till.sql(changes)).to.deep.equal([{ variant_id: till.mug.id }]);
    });

    it("is refused completely when store credit would exceed the largest amount", async () => {
      const customer = await buildCustomer(server.em, till.shop);
      await grantStoreCredit(server.em, customer, "23.80");
      const payments = [{ method: "STORE_CREDIT", amount: "23.80" }];
      const { id } = await till.must(CREATE, till.sale({ customerId: customer.id, payments }));
      await grantStoreCredit(server.em, customer, "999999999999.99");
      const { code } = await till.refused(REFUND, { id, input: { amount: "23.80" } });
      expect(code).to.equal("INVALID_STATE");
      const refunds = await till.sql("select id from refunds where shop_id = $1");
      expect(refunds).to.deep.equal([]);
    });
  });

  describe("Order.amountToRefund", () => {
    const AMOUNT = `query ($shopId: ID!, $id: ID!, $input: RefundOrderInput!) {
      shop(id: $shopId) { order(id: $id) { amountToRefund(input: $input) } } }`;

    it("equals what refundOrder then refunds, and changes nothing", async () => {
      const lines = [{ variantId: till.plate.id, quantity: 3, taxRate: "7" }];
      const payments = [{ method: "CARD", amount: "10.69" }];
      const { id, items, version } = await till.must(CREATE, till.sale({ lines, payments, isFulfilled: true }));
      await till.takeEvents();
      for (const input of [
        { items: [{ itemId: items[0].id, quantity: 1 }] },
        { amount: "0.5" },
        { amount: "0", items: [{ itemId: items[0].id, quantity: 1 }] },
      ]) {
        const { data, errors } = await till.ask(AMOUNT, { id, input });
        expect(errors).to.deep.equal([]);
        expect(await till.takeEvents()).to.deep.equal([]);
        const { refunds } = await till.must(REFUND, { id, input });
        await till.takeEvents();
        expect(data.shop.order.amountToRefund, JSON.stringify(input)).to.equal(refunds.at(-1).amount);
      }
      expect(version).to.equal(2);
    });

    it("is refused like refundOrder", async () => {
      const { id, items } = await till.must(CREATE, till.sale({ payments: [{ method: "CARD", amount: "3.80" }] }));
      for (const input of [
        {},
        { amount: "0.001" },
        { amount: "3.81" },
        { amount: "1", paymentId: "nonsense" },
        { items: [{ itemId: items[0].id, quantity: 1 }] },
        { items: [{ itemId: items[0].id, quantity: 3 }] },
      ]) {
        const [preview, mutation] = [await till.ask(AMOUNT, { id, input }), await till.ask(REFUND, { id, input })];
        expect(preview.errors[0]!.extensions, JSON.stringify(input)).to.deep.equal(mutation.errors[0]!.extensions);
      }
    });
  });
});
