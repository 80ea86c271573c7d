import { expect } from "chai";
import { call } from "../../support/client.ts";
import { buildKey, importProduct } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, PAY, REFUND, SETTLE, useTill } from "../../support/shops/till.ts";

const TO_PAY = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { order(id: $id) {
  cash: amountToPay(method: CASH) card: amountToPay(method: CARD) } } }`;
const TO_REFUND = `query ($shopId: ID!, $id: ID!, $input: RefundOrderInput!) {
  shop(id: $shopId) { order(id: $id) { amountToRefund(input: $input) } } }`;

describe("The rounding of cash", () => {
  const server = useServer();
  const till = useTill(server);

  /** A sale of three at 4.11, 4.11 and 4.12: 12.34 in all. */
  async function sellThree(payments: object[] = []) {
    const product = await importProduct(server.em, till.shop, {
      variants: ["4.11", "4.11", "4.12"].map((price) => ({ price, inventoryQuantity: 1 })),
    });
    const lines = product.variants.map(({ id }) => ({ variantId: id, quantity: 1 }));
    return till.must(CREATE, till.sale({ lines, payments, isFulfilled: true }));
  }

  async function amountsToPay(id: string): Promise<{ cash: string; card: string }> {
    return (await till.ask(TO_PAY, { id })).data.shop.order;
  }

  const unit = (order: { items: { id: string }[] }, index: number) => ({
    items: [{ itemId: order.items[index]!.id, quantity: 1 }],
  });

  for (const [cashRounding, cash, roundingAmount] of [
    ["0.05", "12.35", "0.01"],
    ["0.10", "12.30", "-0.04"],
    ["0.50", "12.50", "0.16"],
    ["1.00", "12.00", "-0.34"],
  ] as const) {
    it(`settles 12.34 with ${cash} in coins of ${cashRounding}, and gives back all of it unit by unit`, async () => {
      await till.updateShop({ cashRounding });
      const { id } = await sellThree();
      expect(await amountsToPay(id)).to.deep.equal({ cash, card: "12.34" });
      const order = await till.must(PAY, { id, input: { method: "CASH", amount: cash } });
      expect(order).to.include({ paymentStatus: "PAID", roundingAmount, totalAmount: cash, receiptNumber: "R-000001" });
      expect(order.payments[0]).to.include({ amount: cash, roundingAmount });
      expect(await amountsToPay(id)).to.deep.equal({ cash: "0.00", card: "0.00" });
      let given = 0;
      for (const index of [0, 1, 2]) {
        const input = unit(order, index);
        const { data } = await till.ask(TO_REFUND, { id, input });
        const { refunds, payments } = await till.must(REFUND, { id, input });
        const { amount } = refunds.at(-1);
        expect(data.shop.order.amountToRefund).to.equal(amount);
        expect(Math.round(Number(amount) * 100) % Math.round(Number(cashRounding) * 100)).to.equal(0);
        given += Number(amount);
        expect(Number(payments[0].refundedAmount)).to.be.closeTo(given, 1e-9);
      }
      const key = await buildKey(server.em, till.shop);
      const { json } = await call(server, "GET", `/${till.shop.id}/orders/${id}`, { key });
      expect(json.order).to.include({ status: "REFUNDED", totalAmount: Number(cash) });
      expect(json.order.payments[0]).to.include({ amount: Number(cash), refundedAmount: Number(cash) });
    });
  }

  it("goes up from the half of a coin", async () => {
    await till.updateShop({ cashRounding: "0.10" });
    const { id } = await till.must(CREATE, till.sale({ lines: [{ variantId: till.plate.id, quantity: 5 }] }));
    expect(await amountsToPay(id)).to.deep.equal({ cash: "16.70", card: "16.65" });
  });

  it("applies to the cash part of mixed payments in createOrder", async () => {
    await till.updateShop({ cashRounding: "0.05" });
    const order = await sellThree([
      { method: "CARD", amount: "5.00" },
      { method: "CASH", amount: "7.35" },
    ]);
    expect(order).to.include({ paymentStatus: "PAID", roundingAmount: "0.01", totalAmount: "12.35" });
    const { id } = order;
    const amounts = [];
    for (const index of [0, 1, 2]) {
      const { refunds } = await till.must(REFUND, { id, input: unit(order, index) });
      amounts.push(refunds.at(-1).amount);
    }
    expect(amounts).to.deep.equal(["4.11", "4.09", "4.15"]);
    const { data } = await till.ask(
      "query ($shopId: ID!) { shop(id: $shopId) { orders { items { status refundedAmount } } } }",
      {},
    );
    expect(data.shop.orders.items).to.deep.equal([{ status: "REFUNDED", refundedAmount: "12.35" }]);
  });

  it("leaves other methods and other amounts of cash exact", async () => {
    await till.updateShop({ cashRounding: "0.05" });
    const { id } = await sellThree();
    const refusals = [
      [{ method: "CARD", amount: "12.35" }, "12.34 EUR"],
      [{ method: "CASH", amount: "12.40" }, "12.34 EUR, or 12.35 EUR in cash"],
    ] as const;
    for (const [input, left] of refusals) {
      const { errors } = await till.ask(PAY, { id, input });
      const [issue] = (errors[0]!.extensions as unknown as { issues: { message: string }[] }).issues;
      expect(issue!.message).to.equal(`Must not exceed the amount left to pay: ${left}`);
    }
    const part = await till.must(PAY, { id, input: { method: "CASH", amount: "12.30" } });
    expect(part).to.include({ paymentStatus: "PARTIALLY_PAID", roundingAmount: "0.00" });
    expect(await till.must(PAY, { id, input: { method: "CASH", amount: "0.04" } })).to.include({
      paymentStatus: "PAID",
      totalAmount: "12.34",
    });
  });

  it("is removed when its payment is voided", async () => {
    await till.updateShop({ cashRounding: "0.10" });
    const { id } = await sellThree();
    const pending = await till.must(PAY, { id, input: { method: "CASH", amount: "12.30", status: "PENDING" } });
    expect(pending).to.include({ totalAmount: "12.30", paymentStatus: "UNPAID" });
    const failed = await till.must(SETTLE, { id: pending.payments[0].id, input: { status: "FAILED" } });
    expect(failed).to.include({ roundingAmount: "0.00", totalAmount: "12.34" });
    const other = await till.must(CREATE, till.sale({ lines: [{ variantId: till.plate.id, quantity: 1 }] }));
    await till.must(PAY, { id: other.id, input: { method: "CASH", amount: "3.30", status: "PENDING" } });
    expect(await till.must(CANCEL, { id: other.id, input: {} })).to.include({
      roundingAmount: "0.00",
      totalAmount: "3.33",
    });
  });

  it("applies to refunds of an amount in cash", async () => {
    await till.updateShop({ cashRounding: "0.10" });
    const { id } = await sellThree([{ method: "CASH", amount: "12.30" }]);
    const order = await till.must(REFUND, { id, input: { amount: "5.02" } });
    expect(order).to.include({ refundedAmount: "5.00" });
    const tooSmall = await till.refused(REFUND, { id, input: { amount: "0.01" } });
    expect(tooSmall.issues).to.deep.equal(["amount too_small"]);
    expect((await till.refused(REFUND, { id, input: { amount: "7.31" } })).issues).to.deep.equal(["amount too_big"]);
    expect(await till.must(REFUND, { id, input: { amount: "7.30" } })).to.include({ status: "REFUNDED" });
  });

  it("leaves no tax behind when an amount is refunded in parts", async () => {
    await till.updateShop({ cashRounding: "0.10", pricesIncludeTax: true });
    const { variants } = await importProduct(server.em, till.shop, {
      variants: [{ price: "12.34", inventoryQuantity: 1 }],
    });
    const lines = [{ variantId: variants[0]!.id, quantity: 1, taxRate: "100" }];
    const { id } = await till.must(CREATE, till.sale({ lines, payments: [{ method: "CASH", amount: "12.30" }] }));
    await till.must(REFUND, { id, input: { amount: "5.02" } });
    const { status, taxAmount, refunds } = await till.must(REFUND, { id, input: { amount: "7.30" } });
    expect({ status, taxAmount }).to.deep.equal({ status: "REFUNDED", taxAmount: "6.17" });
    expect(refunds.map((refund: { taxAmount: string }) => refund.taxAmount)).to.deep.equal(["2.51", "3.66"]);
  });

  it("does not count for another payment until the cash is captured", async () => {
    await till.updateShop({ cashRounding: "0.10" });
    const card = { method: "CARD", amount: "3.30", status: "PENDING" };
    const lines = [{ variantId: till.plate.id, quantity: 1 }];
    const { id, payments } = await till.must(CREATE, till.sale({ lines, payments: [card] }));
    await till.must(SETTLE, { id: payments[0].id, input: { status: "FAILED" } });
    await till.must(PAY, { id, input: { ...card, method: "CASH" } });
    const late = await till.must(SETTLE, { id: payments[0].id, input: { status: "CAPTURED" } });
    expect(late).to.include({ paymentStatus: "PARTIALLY_PAID", totalAmount: "3.30" });
    const both = await till.must(SETTLE, { id: late.payments[1].id, input: { status: "CAPTURED" } });
    expect(both).to.include({ paymentStatus: "PAID", totalAmount: "3.30", overpaidAmount: "3.30" });
  });

  it("has the coins of each currency, with the usual one, and refuses others", async () => {
    const document = `mutation ($shopId: ID!, $input: UpdateShopInput!) {
      updateShop(shopId: $shopId, input: $input) { cashRounding usualCashRounding cashRoundings } }`;
    const coins = ["0.05", "0.10", "0.25", "0.50", "1.00", "5.00", "10.00", "50.00", "100.00", "500.00", "1000.00"];
    const whole = ["5", "10", "50", "100", "500", "1000"];
    for (const [currency, usual, cashRoundings, refused] of [
      ["EUR", null, ["0.00", ...coins], ["0.03", "-0.05", "0.01"]],
      ["DKK", "0.50", ["0.00", ...coins], ["0.20"]],
      ["HUF", "5.00", ["0.00", ...coins], ["2"]],
      ["NOK", "1.00", ["0.00", ...coins], []],
      ["JPY", null, ["0", ...whole], ["1", "0.5"]],
      ["KWD", null, ["0.000", "0.005", "0.010", ...coins.map((coin) => `${coin}0`)], ["0.001"]],
    ] as const) {
      await till.open({ currency });
      for (const cashRounding of cashRoundings) {
        const { data } = await till.ask(document, { input: { cashRounding: String(Number(cashRounding)) } });
        expect(data.updateShop).to.deep.equal({ cashRounding, usualCashRounding: usual, cashRoundings });
      }
      for (const cashRounding of refused) {
        const { issues } = await till.refused(document, { input: { cashRounding } });
        expect(issues).to.deep.equal(["cashRounding invalid_value"]);
      }
    }
  });
});
