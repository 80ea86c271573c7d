import { createHash } from "node:crypto";
import { expect } from "chai";
import { buildCustomer, grantStoreCredit } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CREATE, PAY, QUOTE, useTill } from "../../support/shops/till.ts";

describe("A quote", () => {
  const server = useServer();
  const till = useTill(server);

  // oxlint-disable-next-line typescript/no-explicit-any -- as in answers
  const quote = async (variables: object): Promise<any> => {
    const { data, errors } = await till.ask(QUOTE, { ...variables });
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return data.shop.quoteOrder;
  };

  it("has the lines, the amounts and what is to be paid by each method", async () => {
    await till.updateShop({ cashRounding: "0.05", defaultTaxRate: "19" });
    const customer = await buildCustomer(server.em, till.shop);
    const lines = [
      { variantId: till.plate.id, quantity: 1 },
      { variantId: till.mug.id, quantity: 1, taxRate: "0" },
    ];
    const quoted = await quote(till.sale({ lines, customerId: customer.id, notes: "Gift", isFulfilled: true }));
    expect(quoted).to.deep.include({ subtotalAmount: "13.33", discountAmount: "0.00", taxAmount: "0.63" });
    expect(quoted).to.deep.include({ totalAmount: "13.96", cash: "13.95", card: "13.96", problems: [] });
    expect(quoted.lines[0]).to.include({ sku: "PLATE", quantity: 1, taxRate: "19", totalAmount: "3.96" });
    expect(quoted.lines[1]).to.include({ sku: "MUG", taxRate: "0", totalAmount: "10.00" });
    expect(await till.stockOf(till.plate)).to.equal(10);
  });

  it("has what would be refused as data, and prices what can be priced", async () => {
    const tooMany = [
      { variantId: till.mug.id, quantity: 6 },
      { variantId: till.mug.id, quantity: 5 },
    ];
    const short = await quote(till.sale({ lines: tooMany, customerId: "cus_unknown" }));
    expect(short.totalAmount).to.equal("110.00");
    expect(short.problems).to.deep.equal([
      { path: "customerId", code: "not_found", message: "Customer not found" },
      {
        path: "lines.0.quantity",
        code: "insufficient_stock",
        message: "Insufficient stock of Imported product: 10 left",
      },
    ]);
    const unknown = await quote(till.sale({ lines: [...tooMany, { variantId: "var_unknown", quantity: 1 }] }));
    expect(unknown).to.include({ lines: null, totalAmount: null, cash: null });
    expect(unknown.problems.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).to.deep.equal([
      "lines.2.variantId not_found",
      "lines.0.quantity insufficient_stock",
    ]);
    const excess = await quote(till.sale({ discount: { amount: "20.01" } }));
    expect(excess.problems).to.deep.equal([
      {
        path: "discount.amount",
        code: "too_big",
        message: "Must not exceed the amount it is deducted from: 20.00 EUR",
      },
    ]);
  });

  it("of a wrong shape is a validation error", async () => {
    const refusal = await till.refusal("quoteOrder", till.sale({ lines: [], discount: {} }));
    expect(refusal).to.deep.equal(["VALIDATION_FAILED", "lines: too_small", "discount: invalid_value"]);
  });

  it("is the total that createOrder can be told to expect", async () => {
    const { totalAmount } = await quote(till.sale());
    expect(totalAmount).to.equal("23.80");
    const { data, errors } = await till.ask(CREATE, till.sale({ expectedTotal: "23.8001" }));
    expect(data).to.equal(null);
    expect((errors[0]!.extensions as { issues?: object }).issues).to.deep.equal([
      { path: "expectedTotal", code: "total_changed", message: "The total is 23.80 EUR, not 23.8001 EUR" },
    ]);
    expect(await till.takeEvents()).to.deep.equal([]);
    expect(await till.stockOf(till.mug)).to.equal(10);
    const order = await till.must(CREATE, till.sale({ expectedTotal: "23.8" }));
    expect(order).to.include({ totalAmount, orderNumber: "1001" });
  });
});

describe("A payment", () => {
  const server = useServer();
  const till = useTill(server);

  it("without an amount pays what the payments before it leave, in cash rounded", async () => {
    await till.updateShop({ cashRounding: "0.05" });
    const lines = [{ variantId: till.plate.id, quantity: 2 }];
    const payments = [
      { method: "CARD", amount: "2.00" },
      { method: "CASH", tendered: "10" },
    ];
    const { items: _, ...order } = await till.must(CREATE, till.sale({ lines, payments }));
    expect(order).to.include({ paymentStatus: "PAID", totalAmount: "6.65", receiptNumber: "R-000001" });
    expect(order.payments[0]).to.include({ amount: "2.00", tendered: null, change: null });
    expect(order.payments[1]).to.include({
      amount: "4.65",
      tendered: "10.00",
      change: "5.35",
      roundingAmount: "-0.01",
    });
    const { id } = await till.must(CREATE, till.sale({ lines }));
    const authorized = await till.must(PAY, { id, input: { method: "CARD", amount: "6.00", status: "AUTHORIZED" } });
    expect(authorized.paymentStatus).to.equal("UNPAID");
    const paid = await till.must(PAY, { id, input: { method: "CARD" } });
    expect(paid.payments.map(({ amount }: { amount: string }) => amount)).to.deep.equal(["6.00", "0.66"]);
    expect(await till.refused(PAY, { id, input: { method: "OTHER", allowOverpayment: true } })).to.deep.equal({
      code: "VALIDATION_FAILED",
      issues: ["amount required"],
    });
  });

  it("in store credit without an amount takes what is left from the customer", async () => {
    const customer = await buildCustomer(server.em, till.shop);
    await grantStoreCredit(server.em, customer, "30.00");
    const sale = till.sale({ customerId: customer.id, payments: [{ method: "STORE_CREDIT" }] });
    expect((await till.must(CREATE, sale)).payments[0]).to.include({ amount: "23.80" });
    expect(await till.refused(CREATE, sale)).to.deep.equal({ code: "INSUFFICIENT_STORE_CREDIT", issues: [] });
  });

  for (const [payment, issue] of [
    [{ method: "CASH", tendered: "23.79" }, "too_small"],
    [{ method: "CASH", amount: "5", tendered: "4.99" }, "too_small"],
    [{ method: "CASH", tendered: "0" }, "too_small"],
    [{ method: "CASH", tendered: "30.001" }, "too_many_decimals"],
    [{ method: "CASH", tendered: "1000000000000" }, "too_big"],
    [{ method: "CASH", tendered: "30", status: "PENDING" }, "invalid_value"],
    [{ method: "CARD", tendered: "30" }, "invalid_value"],
  ] as const) {
    it(`refuses ${JSON.stringify(payment)}, and changes nothing`, async () => {
      const code = "VALIDATION_FAILED";
      expect(await till.refused(CREATE, till.sale({ payments: [payment] }))).to.deep.equal({
        code,
        issues: [`payments.0.tendered ${issue}`],
      });
      const { id, version } = await till.must(CREATE, till.sale());
      expect(await till.refused(PAY, { id, input: payment })).to.deep.equal({ code, issues: [`tendered ${issue}`] });
      const order = await till.run("order", { id });
      expect([order.version, order.payments, order.orderNumber]).to.deep.equal([version, [], "1001"]);
    });
  }
});

describe("The default tax rate", () => {
  const till = useTill(useServer());

  const rateOf = async (line: object) => {
    const { items } = await till.must(CREATE, till.sale({ lines: [{ variantId: till.mug.id, quantity: 1, ...line }] }));
    return [items[0].taxRate, items[0].taxAmount];
  };

  it("taxes lines that name no tax, and no others", async () => {
    expect(await rateOf({})).to.deep.equal(["0", "0.00"]);
    await till.updateShop({ defaultTaxRate: "8.8750" });
    expect(await rateOf({})).to.deep.equal(["8.875", "0.89"]);
    expect(await rateOf({ taxRate: "0" })).to.deep.equal(["0", "0.00"]);
    expect(await rateOf({ taxRate: "7" })).to.deep.equal(["7", "0.70"]);
    expect(await rateOf({ taxAmount: "0" })).to.deep.equal([null, "0.00"]);
    await till.updateShop({ name: "Renamed" });
    expect(await rateOf({ taxRate: null })).to.deep.equal(["8.875", "0.89"]);
    await till.updateShop({ defaultTaxRate: null });
    expect(await rateOf({})).to.deep.equal(["0", "0.00"]);
    const details = (await till.audited()).filter(([action]) => action === "SHOP_UPDATED").map(([, detail]) => detail);
    expect([details[0], details[2]]).to.deep.equal([
      { oldDefaultTaxRate: "", defaultTaxRate: "8.875" },
      { oldDefaultTaxRate: "8.875", defaultTaxRate: "" },
    ]);
    for (const defaultTaxRate of ["-1", "100.01", "1.00001"]) {
      expect((await till.refusal("updateShop", { input: { defaultTaxRate } }))[0]).to.equal("VALIDATION_FAILED");
    }
  });

  it("does not turn a request that is sent again into another one", async () => {
    const lines = [
      { variantId: till.mug.id, quantity: 1 },
      { variantId: till.plate.id, quantity: 1, taxAmount: "1.5" },
    ];
    const given = { lines, discount: { amount: "1" }, notes: "Gift", payments: [{ method: "CARD", amount: "5" }] };
    const sell = { ...till.sale(given), idempotencyKey: "till-1/8" };
    const { id, totalAmount } = await till.must(CREATE, sell);
    await till.updateShop({ defaultTaxRate: "19" });
    expect(await till.must(CREATE, sell)).to.include({ id, totalAmount });
    // As 1.0.0 computed it, whose processes may still run.
    const input = {
      channel: "POS",
      lines: lines.map(({ variantId, quantity, taxAmount }) => ({ variantId, quantity, taxRate: "0", taxAmount })),
      discount: { amount: "1" },
      notes: "Gift",
      payments: [{ method: "CARD", amount: "5", status: "CAPTURED", allowOverpayment: false }],
      isFulfilled: false,
    };
    const digest = createHash("sha256")
      .update(JSON.stringify(["createOrder", input]))
      .digest("hex");
    const [row] = await till.sql(
      "select encode(fingerprint, 'hex') as digest from idempotency_keys where shop_id = $1",
    );
    expect(row).to.deep.equal({ digest });
  });
});
