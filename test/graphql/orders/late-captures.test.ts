import { expect } from "chai";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, PAY, REFUND, SETTLE, useTill } from "../../support/shops/till.ts";

const LOG = `query ($shopId: ID!) { shop(id: $shopId) { auditLog(limit: 2) { items { action details { name value } } } } }`;

describe("A payment that is captured after its order was cancelled", () => {
  const server = useServer();
  const till = useTill(server);
  const card = { method: "CARD", amount: "23.80", status: "AUTHORIZED" };

  async function cancelSale(payments: object[]) {
    const { id } = await till.must(CREATE, till.sale({ payments }));
    const order = await till.must(CANCEL, { id, input: {} });
    await till.takeEvents();
    return order;
  }

  async function lastDetails(): Promise<{ name: string; value: string }[]> {
    return (await till.ask(LOG, {})).data.shop.auditLog.items[0].details;
  }

  it("is accepted, marked, audited, sent as order.updated and refunded, and the order stays cancelled", async () => {
    const { id, payments } = await cancelSale([card]);
    const captured = { id: payments[0].id, input: { status: "CAPTURED", reference: "ch_9" } };
    const order = await till.must(SETTLE, captured);
    expect(order).to.include({ status: "CANCELLED", paymentStatus: "PAID", receiptNumber: null });
    expect(order.payments[0]).to.include({ status: "CAPTURED", isLateCapture: true, reference: "ch_9" });
    expect(order.payments[0].processedAt).to.be.a("string");
    expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
    expect(await lastDetails()).to.deep.include({ name: "lateCapture", value: "true" });
    expect(await till.must(SETTLE, captured)).to.include({ version: order.version });
    expect(await till.takeEvents()).to.deep.equal([]);
    const part = await till.must(REFUND, { id, input: { amount: "3.80" } });
    expect(part).to.include({ status: "CANCELLED", paymentStatus: "PARTIALLY_REFUNDED" });
    const all = await till.must(REFUND, { id, input: { amount: "20.00" } });
    expect(all).to.include({ status: "CANCELLED", paymentStatus: "REFUNDED", refundedAmount: "23.80" });
    expect(await till.takeEvents()).to.deep.equal(["order.refunded", "order.refunded"]);
    expect(await till.stockOf(till.mug)).to.equal(10);
  });

  it("is recorded on a cancelled order, unless it is cash or not captured", async () => {
    const { id } = await cancelSale([]);
    for (const input of [{ ...card }, { ...card, status: "CAPTURED", method: "CASH" }]) {
      expect((await till.refused(PAY, { id, input })).code).to.equal("INVALID_STATE");
    }
    const order = await till.must(PAY, { id, input: { ...card, status: "CAPTURED" } });
    expect(order).to.include({ status: "CANCELLED", paymentStatus: "PAID", receiptNumber: null });
    expect(order.payments[0]).to.include({ isLateCapture: true });
    expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
    expect(await lastDetails()).to.deep.include({ name: "lateCapture", value: "true" });
    const more = await till.refused(PAY, { id, input: { ...card, status: "CAPTURED", amount: "0.01" } });
    expect(more.issues).to.deep.equal(["amount too_big"]);
  });

  it("is recorded after refunds, up to the total that the shop does not hold", async () => {
    const { id } = await cancelSale([]);
    const late = { ...card, status: "CAPTURED" };
    await till.must(PAY, { id, input: late });
    await till.must(REFUND, { id, input: { amount: "23.80" } });
    expect((await till.refused(PAY, { id, input: { ...late, amount: "23.81" } })).issues).to.deep.equal([
      "amount too_big",
    ]);
    expect(await till.must(PAY, { id, input: late })).to.include({ paymentStatus: "PARTIALLY_REFUNDED" });
    const order = await till.must(REFUND, { id, input: { amount: "23.80" } });
    expect(order).to.include({ status: "CANCELLED", paymentStatus: "REFUNDED", refundedAmount: "47.60" });
  });

  it("allows only refunds of an amount", async () => {
    const { id, items, payments } = await cancelSale([card]);
    await till.must(SETTLE, { id: payments[0].id, input: { status: "CAPTURED" } });
    const units = [{ itemId: items[0].id, quantity: 1 }];
    const { errors } = await till.ask(REFUND, { id, input: { items: units } });
    expect(errors[0]!.message).to.equal("The order is CANCELLED: only an amount can be refunded: 23.80 EUR");
    expect((await till.refused(REFUND, { id, input: { items: units, amount: "1" } })).code).to.equal("INVALID_STATE");
  });

  it("is accepted for a failed payment", async () => {
    const { id, payments } = await till.must(CREATE, till.sale({ payments: [card] }));
    await till.must(SETTLE, { id: payments[0].id, input: { status: "FAILED" } });
    await till.must(CANCEL, { id, input: {} });
    const late = await till.must(SETTLE, { id: payments[0].id, input: { status: "CAPTURED" } });
    expect(late.payments[0]).to.include({ status: "CAPTURED", isLateCapture: true });
  });

  it("leaves a payment VOIDED if only its reference changes", async () => {
    const { payments } = await cancelSale([card]);
    const order = await till.must(SETTLE, { id: payments[0].id, input: { status: "VOIDED", reference: "ch_10" } });
    expect(order).to.include({ paymentStatus: "VOIDED" });
    expect(order.payments[0]).to.include({ reference: "ch_10", isLateCapture: false });
  });

  it("is refused while the order is not cancelled", async () => {
    const { payments } = await till.must(CREATE, till.sale({ payments: [card] }));
    await till.must(SETTLE, { id: payments[0].id, input: { status: "VOIDED" } });
    expect((await till.refused(SETTLE, { id: payments[0].id, input: { status: "CAPTURED" } })).code).to.equal(
      "INVALID_STATE",
    );
  });
});
