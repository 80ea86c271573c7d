import { expect } from "chai";
import { buildCustomer } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CREATE, useTill } from "../../support/shops/till.ts";

const QUOTE = `query ($shopId: ID!, $input: QuoteOrderInput!) { shop(id: $shopId) { quoteOrder(input: $input) {
  lines { productId variantId title variantTitle sku quantity unitPrice discountAmount taxRate taxAmount totalAmount }
  subtotalAmount discountAmount taxAmount totalAmount cash: amountToPay(method: CASH) card: amountToPay(method: CARD)
  problems { path code message } } } }`;

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
        message: `Insufficient stock of variant ${till.mug.id}: 10`,
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
