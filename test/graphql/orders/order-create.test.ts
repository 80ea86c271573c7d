import { expect } from "chai";
import { query } from "../../support/database.ts";
import { buildCustomer, buildShop, grantStoreCredit, importProduct } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CREATE, REFUND, useTill } from "../../support/shops/till.ts";

describe("Creating orders", () => {
  const server = useServer();
  const till = useTill(server);

  describe("createOrder", () => {
    it("prices the lines, takes stock, assigns a number, and emits order.created", async () => {
      const order = await till.must(CREATE, till.sale({ notes: "Gift wrap" }));
      expect(order).to.deep.include({
        orderNumber: "1001",
        receiptNumber: null,
        status: "CONFIRMED",
        paymentStatus: "UNPAID",
        fulfillmentStatus: "UNFULFILLED",
        channel: "POS",
        notes: "Gift wrap",
        subtotalAmount: "20.00",
        discountAmount: "0.00",
        taxAmount: "3.80",
        totalAmount: "23.80",
        customer: null,
        payments: [],
        refunds: [],
        version: 1,
      });
      expect(order.items[0]).to.include({
        sku: "MUG",
        quantity: 2,
        unitPrice: "10.00",
        taxRate: "19",
        totalAmount: "23.80",
      });
      expect(await till.stockOf(till.mug)).to.equal(8);
      expect(await till.takeEvents()).to.deep.equal(["order.created", "product.updated"]);
    });

    it("extracts tax from prices that include it, and keeps that with the order", async () => {
      const lines = [{ variantId: till.plate.id, quantity: 3, taxRate: "19", discount: { amount: "0.99" } }];
      const added = await till.must(CREATE, till.sale({ lines }));
      expect(added).to.include({ pricesIncludeTax: false, subtotalAmount: "9.99", totalAmount: "10.71" });
      await till.updateShop({ pricesIncludeTax: true });
      const included = await till.must(CREATE, till.sale({ lines }));
      expect(included).to.include({
        pricesIncludeTax: true,
        subtotalAmount: "9.99",
        discountAmount: "0.99",
        taxAmount: "1.44",
        totalAmount: "9.00",
      });
      expect(included.items[0]).to.include({ unitPrice: "3.33", taxAmount: "1.44", totalAmount: "9.00" });
      await till.updateShop({ pricesIncludeTax: false });
      const { data } = await till.ask(
        "query ($shopId: ID!) { shop(id: $shopId) { orders { items { pricesIncludeTax } } } }",
        {},
      );
      expect(data.shop.orders.items).to.deep.equal([{ pricesIncludeTax: true }, { pricesIncludeTax: false }]);
    });

    it("takes the tax of a line as an amount, included or added, and refunds exactly what was paid", async () => {
      const { id: plate } = till.plate;
      const lines = [
        { variantId: plate, quantity: 3, taxAmount: "1.43", discount: { amount: "0.99" } },
        { variantId: till.mug.id, quantity: 1, taxRate: "7" },
      ];
      const amounts = [
        { pricesIncludeTax: false, taxAmount: "2.13", totalAmount: "21.13" },
        { pricesIncludeTax: true, taxAmount: "2.08", totalAmount: "19.00" },
      ];
      for (const { pricesIncludeTax, taxAmount, totalAmount } of amounts) {
        await till.updateShop({ pricesIncludeTax });
        const payments = [{ method: "CARD", amount: totalAmount }];
        const order = await till.must(CREATE, till.sale({ lines, payments, isFulfilled: true }));
        expect(order).to.include({ pricesIncludeTax, taxAmount, totalAmount, paymentStatus: "PAID" });
        expect(order.items[0]).to.include({ taxRate: null, taxAmount: "1.43" });
        expect(order.items[1]).to.include({ taxRate: "7" });
        const [first, second] = order.items;
        const { id } = order;
        for (const itemId of [first.id, second.id, first.id, first.id]) {
          await till.must(REFUND, { id, input: { items: [{ itemId, quantity: 1 }] } });
        }
        const again = await till.refused(REFUND, { id, input: { amount: "0.01" } });
        expect(again.code).to.equal("INVALID_STATE");
        const { data } = await till.ask(
          "query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { order(id: $id) { status refundedAmount } } }",
          { id },
        );
        expect(data.shop.order).to.deep.equal({ status: "REFUNDED", refundedAmount: totalAmount });
      }
    });

    it("refuses a tax amount beside a rate, below 0, with too many decimals, and above the price", async () => {
      const sell = (line: object) => till.sale({ lines: [{ variantId: till.plate.id, quantity: 3, ...line }] });
      const message = async (line: object) => {
        const { errors } = await till.ask(CREATE, sell(line));
        const [issue] = (errors[0]!.extensions as unknown as { issues: { path: string; message: string }[] }).issues;
        return `${issue!.path}: ${issue!.message}`;
      };
      const path = "lines.0.taxAmount";
      expect(await message({ taxAmount: "1", taxRate: "19" })).to.equal(
        `${path}: Must have either a tax amount or a tax rate`,
      );
      expect(await message({ taxAmount: "-0.01" })).to.equal(`${path}: Must be at least 0`);
      expect(await message({ taxAmount: "0.001" })).to.equal(`${path}: Must have at most 2 decimal places in EUR`);
      expect(await message({ taxAmount: "999", discount: { percentage: "100" } })).to.equal(
        `${path}: Must not exceed the price of the line before discounts: 9.99 EUR`,
      );
      await till.updateShop({ pricesIncludeTax: true });
      const discount = { percentage: "50" };
      expect(await message({ taxAmount: "5", discount })).to.equal(
        `${path}: Must not exceed the price of the line after discounts: 4.99 EUR`,
      );
      const { totalAmount } = await till.must(CREATE, sell({ taxAmount: "4.99", discount }));
      expect(totalAmount).to.equal("4.99");
      expect(await message({ discount: { amount: "10" } })).to.equal(
        "lines.0.discount.amount: Must not exceed the amount it is deducted from: 9.99 EUR",
      );
    });

    it("spreads the order's discount over the lines after their own", async () => {
      const lines = [
        { variantId: till.mug.id, quantity: 1, discount: { amount: "1.00" } },
        { variantId: till.plate.id, quantity: 3, discount: { percentage: "10" } },
      ];
      const order = await till.must(CREATE, till.sale({ lines, discount: { amount: "5.00" } }));
      expect(order).to.include({ subtotalAmount: "19.99", discountAmount: "7.00", totalAmount: "12.99" });
      const discounts = order.items.map((item: { discountAmount: string }) => Number(item.discountAmount));
      expect(discounts[0] + discounts[1]).to.be.closeTo(7, 1e-9);
    });

    it("records payments, and assigns a receipt number to a paid sale at a till", async () => {
      const payments = [
        { method: "CASH", amount: "20" },
        { method: "CARD", amount: "3.80", reference: "ch_1" },
      ];
      const order = await till.must(CREATE, till.sale({ payments, isFulfilled: true }));
      expect(order).to.include({ paymentStatus: "PAID", fulfillmentStatus: "FULFILLED", receiptNumber: "R-000001" });
      expect(order.payments).to.have.length(2);
      expect(await till.takeEvents()).to.deep.equal(["order.created", "order.paid", "product.updated"]);
      const online = await till.must(CREATE, till.sale({ channel: "STOREFRONT", payments }));
      expect(online).to.include({ orderNumber: "1002", paymentStatus: "PAID", receiptNumber: null });
    });

    it("is paid from the start when it is free", async () => {
      const order = await till.must(CREATE, till.sale({ discount: { percentage: "100" } }));
      expect(order).to.include({ totalAmount: "0.00", paymentStatus: "PAID", receiptNumber: "R-000001" });
      expect(await till.takeEvents()).to.include("order.paid");
    });

    it("deducts store credit from the customer", async () => {
      const customer = await buildCustomer(server.em, till.shop);
      await grantStoreCredit(server.em, customer, "10.00");
      const payments = [{ method: "STORE_CREDIT", amount: "10.00" }];
      const order = await till.must(CREATE, till.sale({ customerId: customer.id, payments }));
      expect(order).to.deep.include({ paymentStatus: "PARTIALLY_PAID", customer: { id: customer.id } });
      expect(await till.takeEvents()).to.deep.equal(["customer.updated", "order.created", "product.updated"]);
      const again = await till.refused(CREATE, till.sale({ customerId: customer.id, payments }));
      expect(again.code).to.equal("INSUFFICIENT_STORE_CREDIT");
      expect(await till.stockOf(till.mug)).to.equal(8);
      expect(await till.takeEvents()).to.deep.equal([]);
    });

    it("reports all mistakes, and changes nothing", async () => {
      const foreign = await importProduct(server.em, await buildShop(server.em), { variants: [{}] });
      const draft = await importProduct(server.em, till.shop, { status: "DRAFT" as never });
      const cases: [Record<string, unknown>, string[]][] = [
        [{ lines: [] }, ["lines too_small"]],
        [{ lines: [{ variantId: till.mug.id, quantity: 0 }] }, ["lines.0.quantity too_small"]],
        [{ lines: [{ variantId: till.mug.id, quantity: 100_001 }] }, ["lines.0.quantity too_big"]],
        [{ lines: [{ variantId: foreign.variants[0]!.id, quantity: 1 }] }, ["lines.0.variantId not_found"]],
        [{ lines: [{ variantId: "nonsense\u0000", quantity: 1 }] }, ["lines.0.variantId not_found"]],
        [{ lines: [{ variantId: draft.variants[0]!.id, quantity: 1 }] }, ["lines.0.variantId not_for_sale"]],
        [{ lines: [{ variantId: till.mug.id, quantity: 1, taxRate: "101" }] }, ["lines.0.taxRate too_big"]],
        [
          { lines: [{ variantId: till.mug.id, quantity: 1, taxRate: "1.00001" }] },
          ["lines.0.taxRate too_many_decimals"],
        ],
        [{ customerId: "nobody" }, ["customerId not_found"]],
        [{ notes: "\u0000" }, ["notes invalid_text"]],
        [{ discount: {} }, ["discount invalid_value"]],
        [{ discount: { amount: "1", percentage: "1" } }, ["discount invalid_value"]],
        [{ discount: { amount: "20.01" } }, ["discount.amount too_big"]],
        [{ discount: { amount: "0.001" } }, ["discount.amount too_many_decimals"]],
        [{ discount: { percentage: "0" } }, ["discount.percentage too_small"]],
        [{ payments: [{ method: "CASH", amount: "23.81" }] }, ["payments.0.amount too_big"]],
        [{ payments: [{ method: "CASH", amount: "-1" }] }, ["payments.0.amount too_small"]],
        [{ payments: [{ method: "CASH", amount: "1", status: "VOIDED" }] }, ["payments.0.status invalid_value"]],
        [{ payments: [{ method: "STORE_CREDIT", amount: "1" }] }, ["payments.0.method invalid_value"]],
        [
          { customerId: "x", lines: [{ variantId: "x", quantity: 1 }] },
          ["lines.0.variantId not_found", "customerId not_found"],
        ],
      ];
      for (const [overrides, expected] of cases) {
        const { code, issues } = await till.refused(CREATE, till.sale(overrides));
        expect(code, JSON.stringify(overrides)).to.equal("VALIDATION_FAILED");
        expect(issues, JSON.stringify(overrides)).to.deep.equal(expected);
      }
      expect(await till.takeEvents()).to.deep.equal([]);
      expect(await till.stockOf(till.mug)).to.equal(10);
      expect((await till.must(CREATE, till.sale())).orderNumber).to.equal("1001");
    });

    it("refuses totals over the largest amount, also before discounts", async () => {
      const { em } = server;
      const [gold] = (
        await importProduct(em, till.shop, { variants: [{ price: "999999999999.99", inventoryQuantity: 10 }] })
      ).variants;
      const sell = (line: Record<string, unknown>) => ({
        input: { channel: "POS", lines: [{ variantId: gold!.id, quantity: 1, ...line }] },
      });
      const tooBig = { code: "VALIDATION_FAILED", issues: ["lines too_big"] };
      expect(await till.refused(CREATE, sell({ quantity: 2, discount: { percentage: "100" } }))).to.deep.equal(tooBig);
      expect(await till.refused(CREATE, sell({ taxRate: "0.0001" }))).to.deep.equal(tooBig);
      const { totalAmount } = await till.must(CREATE, sell({}));
      expect(totalAmount).to.equal("999999999999.99");
    });

    it("sells the last unit once with concurrent requests", async () => {
      await query(server.databaseUrl, "update variants set inventory_quantity = 1 where id = $1", [till.mug.id]);
      const one = till.sale({ lines: [{ variantId: till.mug.id, quantity: 1 }] });
      const answers = await Promise.all(Array.from({ length: 50 }, () => till.ask(CREATE, one)));
      const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
      expect(answers.filter(({ data }) => data?.order)).to.have.length(1);
      expect(new Set(codes)).to.deep.equal(new Set(["INSUFFICIENT_STOCK"]));
      expect(codes).to.have.length(49);
      expect(await till.stockOf(till.mug)).to.equal(0);
    });

    it("sells below zero if the shop allows overselling", async () => {
      await till.sql("update shops set allows_overselling = true where id = $1");
      await till.must(CREATE, till.sale({ lines: [{ variantId: till.mug.id, quantity: 12 }] }));
      expect(await till.stockOf(till.mug)).to.equal(-2);
    });

    it("assigns numbers without gaps, also beside failing orders", async () => {
      await query(server.databaseUrl, "update variants set inventory_quantity = 60 where id = $1", [till.mug.id]);
      const paid = till.sale({
        lines: [{ variantId: till.mug.id, quantity: 2 }],
        payments: [{ method: "CASH", amount: "20.00" }],
      });
      await Promise.all(Array.from({ length: 45 }, () => till.ask(CREATE, paid)));
      const rows = await till.sql<{ number: string; receipt: string }>(
        "select order_number as number, receipt_number as receipt from orders where shop_id = $1",
      );
      expect(rows).to.have.length(30);
      const numbers = rows.map(({ number }) => Number(number)).toSorted((a, b) => a - b);
      expect(numbers).to.deep.equal(Array.from({ length: 30 }, (_, index) => 1_001 + index));
      const receipts = rows.map(({ receipt }) => receipt).toSorted();
      expect(receipts).to.deep.equal(
        Array.from({ length: 30 }, (_, index) => `R-${String(index + 1).padStart(6, "0")}`),
      );
    });

    it("does not deadlock with variants in different orders", async () => {
      const other = await importProduct(server.em, till.shop, {
        variants: [{ price: "1.00", inventoryQuantity: 1_000 }],
      });
      await till.sql("update variants set inventory_quantity = 1000 where shop_id = $1");
      const lines = [till.mug, other.variants[0]!, till.plate].map(({ id }) => ({ variantId: id, quantity: 1 }));
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          till.ask(CREATE, till.sale({ lines: index % 2 === 0 ? lines : lines.toReversed() })),
        ),
      );
      expect(answers.flatMap(({ errors }) => errors)).to.deep.equal([]);
    });
  });
});
