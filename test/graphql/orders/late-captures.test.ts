import { expect } from "chai";
import type { DigestNotice } from "../../../src/core/notifications/mail-jobs.sql.ts";
import { digestLetter } from "../../../src/jobs/mail/letters.ts";
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
    const notices = await till.sql<DigestNotice & { kind: "ORDER_OVERPAID" }>(
      `select kind, target_name as "targetName", count, details from notices where shop_id = $1`,
    );
    const lines = notices.flatMap((notice) => digestLetter(notice.kind, [notice], "Shop").items);
    expect(lines).to.deep.equal([`Order #${order.orderNumber}: 23.80 EUR`]);
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

  it("is marked and completes an order that waits for it", async () => {
    const { payments } = await till.must(CREATE, till.sale({ payments: [card] }));
    await till.must(SETTLE, { id: payments[0].id, input: { status: "FAILED" } });
    await till.takeEvents();
    const order = await till.must(SETTLE, { id: payments[0].id, input: { status: "CAPTURED" } });
    expect(order).to.include({ paymentStatus: "PAID", overpaidAmount: "0.00", receiptNumber: "R-000001" });
    expect(order.payments[0]).to.include({ isLateCapture: true });
    expect(await till.takeEvents()).to.deep.equal(["order.paid"]);
  });
});

describe("Money beyond the price of an order", () => {
  const server = useServer();
  const till = useTill(server);
  const card = { method: "CARD", amount: "23.80" };
  const late = { status: "CAPTURED" };

  /** An order that is paid in cash after its card payment ended. */
  async function payOtherwise(ended: string) {
    const order = await till.must(CREATE, till.sale({ payments: [{ ...card, status: "PENDING" }] }));
    await till.must(SETTLE, { id: order.payments[0].id, input: { status: ended } });
    const paid = await till.must(PAY, { id: order.id, input: { ...card, method: "CASH" } });
    await till.takeEvents();
    return paid;
  }

  for (const ended of ["FAILED", "VOIDED"]) {
    it(`is held if a ${ended} payment of a paid order is captured, and refunded without tax and without a second order.paid`, async () => {
      const { id, payments } = await payOtherwise(ended);
      const capture = { id: payments[0].id, input: late };
      const [first, second] = await Promise.all([till.must(SETTLE, capture), till.must(SETTLE, capture)]);
      expect([first.version, second.version]).to.deep.equal([4, 4]);
      expect(first).to.include({ status: "CONFIRMED", paymentStatus: "PAID", overpaidAmount: "23.80" });
      expect(first.payments[0]).to.include({ status: "CAPTURED", isLateCapture: true });
      expect(first.payments[1]).to.include({ isLateCapture: false });
      expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
      const { errors } = await till.ask(REFUND, { id, input: { amount: "47.61" } });
      expect(errors[0]!.extensions).to.deep.include({ code: "VALIDATION_FAILED" });
      const back = await till.must(REFUND, { id, input: { amount: "23.80", paymentId: payments[0].id } });
      expect(back).to.include({ status: "CONFIRMED", paymentStatus: "PARTIALLY_REFUNDED", overpaidAmount: "0.00" });
      expect(back.refunds[0]).to.include({ amount: "23.80", taxAmount: "0.00" });
      expect(await till.stockOf(till.mug)).to.equal(8);
      const all = await till.must(REFUND, { id, input: { amount: "23.80" } });
      expect(all).to.include({ status: "REFUNDED", paymentStatus: "REFUNDED", refundedAmount: "47.60" });
      expect(all.refunds[1]).to.include({ taxAmount: "3.80" });
      expect(await till.takeEvents()).to.deep.equal(["order.refunded", "order.refunded"]);
    });
  }

  it("is all that is held of a refunded order, which stays refunded", async () => {
    const { id, payments } = await payOtherwise("VOIDED");
    await till.must(REFUND, { id, input: { amount: "23.80" } });
    const order = await till.must(SETTLE, { id: payments[0].id, input: late });
    expect(order).to.include({ status: "REFUNDED", paymentStatus: "PARTIALLY_REFUNDED", overpaidAmount: "23.80" });
    const more = await till.must(PAY, { id, input: { ...card, allowOverpayment: true } });
    expect(more).to.include({ status: "REFUNDED", overpaidAmount: "47.60" });
    expect(more.payments[2]).to.include({ isLateCapture: true });
    expect((await till.refused(PAY, { id, input: { ...card, method: "CASH" } })).code).to.equal("INVALID_STATE");
    const part = await till.must(REFUND, { id, input: { amount: "40" } });
    expect(part).to.include({ status: "REFUNDED", overpaidAmount: "7.60" });
    expect(await till.must(REFUND, { id, input: { amount: "7.60" } })).to.include({
      status: "REFUNDED",
      paymentStatus: "REFUNDED",
    });
  });

  it("is not the money of returned units", async () => {
    const { id, items, payments } = await payOtherwise("FAILED");
    await till.must(REFUND, { id, input: { items: [{ itemId: items[0].id, quantity: 1 }] } });
    const order = await till.must(SETTLE, { id: payments[0].id, input: late });
    expect(order).to.include({ status: "CONFIRMED", overpaidAmount: "23.80" });
  });

  it("is recorded with allowOverpayment, and refused as a mistake without it", async () => {
    const { id } = await till.must(CREATE, till.sale());
    const transfer = { method: "OTHER", amount: "28.80", reference: "Transfer 7" };
    const { errors } = await till.ask(PAY, { id, input: transfer });
    const { issues, hint } = errors[0]!.extensions as unknown as { issues: { message: string }[]; hint: string };
    expect(issues[0]!.message).to.equal("Must not exceed the amount left to pay: 23.80 EUR");
    expect(hint).to.equal("If you have received more than the amount left to pay, set allowOverpayment.");
    const asked = { id, input: { ...transfer, allowOverpayment: true }, idempotencyKey: "transfer-7" };
    await till.must(PAY, asked);
    const order = await till.must(PAY, asked);
    expect(order).to.include({ paymentStatus: "PAID", overpaidAmount: "5.00", totalAmount: "23.80" });
    expect(order.payments).to.have.length(1);
    expect(order.payments[0]).to.include({ isLateCapture: false });
    const again = await till.must(PAY, { id, input: { ...asked.input, amount: "10" } });
    expect(again).to.include({ paymentStatus: "PAID", overpaidAmount: "15.00" });
    expect(again.payments[1]).to.include({ isLateCapture: true });
    await till.must(REFUND, { id, input: { amount: "15" } });
    expect((await till.refused(PAY, { id, input: card })).code).to.equal("INVALID_STATE");
    const afterRefund = await till.must(PAY, { id, input: { ...card, allowOverpayment: true } });
    expect(afterRefund).to.include({ status: "CONFIRMED", overpaidAmount: "23.80" });
    for (const input of [
      { ...card, method: "CASH" },
      { ...card, status: "PENDING" },
      { ...card, amount: "0.001" },
      { ...card, amount: "1000000000000" },
    ]) {
      const { id: other } = await till.must(CREATE, till.sale({ lines: [{ variantId: till.plate.id, quantity: 1 }] }));
      const refused = await till.refused(PAY, { id: other, input: { ...input, allowOverpayment: true } });
      expect(refused.issues[0]).to.match(/^amount too_/);
    }
  });
});

describe("A capture of another amount than its payment's", () => {
  const server = useServer();
  const till = useTill(server);

  async function authorize(payment: object = {}) {
    const payments = [{ method: "CARD", amount: "23.80", status: "AUTHORIZED", ...payment }];
    const order = await till.must(CREATE, till.sale({ payments }));
    await till.takeEvents();
    return { ...order, capture: { id: order.payments[0].id, input: { status: "CAPTURED", amount: "20" } } };
  }

  it("replaces the amount, once, and leaves the rest to pay", async () => {
    const { id, capture } = await authorize();
    const part = await till.must(SETTLE, capture);
    expect(part).to.include({ paymentStatus: "PARTIALLY_PAID", overpaidAmount: "0.00" });
    expect(part.payments[0]).to.include({ amount: "20.00", isLateCapture: false });
    expect(await till.takeEvents()).to.deep.equal(["order.updated"]);
    for (const input of [capture.input, { status: "CAPTURED" }]) {
      expect(await till.must(SETTLE, { ...capture, input })).to.include({ version: part.version });
    }
    const other = { ...capture, input: { status: "CAPTURED", amount: "23.80" } };
    expect((await till.refused(SETTLE, other)).code).to.equal("INVALID_STATE");
    expect((await till.refused(REFUND, { id, input: { amount: "20.01" } })).issues).to.deep.equal(["amount too_big"]);
    const rest = await till.must(PAY, { id, input: { method: "CARD", amount: "3.80" } });
    expect(rest).to.include({ paymentStatus: "PAID", overpaidAmount: "0.00" });
    expect(await till.takeEvents()).to.deep.equal(["order.paid"]);
  });

  it("can be more, which is overpaid", async () => {
    const { capture } = await authorize({ method: "OTHER", status: "PENDING" });
    const order = await till.must(SETTLE, { ...capture, input: { status: "CAPTURED", amount: "28.80" } });
    expect(order).to.include({ paymentStatus: "PAID", overpaidAmount: "5.00" });
  });

  it("rounds cash again", async () => {
    await till.updateShop({ cashRounding: "0.50" });
    const { id, capture } = await authorize({ method: "CASH", amount: "24.00", status: "PENDING" });
    const part = await till.must(SETTLE, capture);
    expect(part).to.include({ roundingAmount: "0.00", totalAmount: "23.80", paymentStatus: "PARTIALLY_PAID" });
    const paid = await till.must(PAY, { id, input: { method: "CASH", amount: "4.00" } });
    expect(paid).to.include({
      roundingAmount: "0.20",
      totalAmount: "24.00",
      paymentStatus: "PAID",
      overpaidAmount: "0.00",
    });
  });

  it("reports mistakes", async () => {
    const { capture } = await authorize();
    for (const [input, issue] of [
      [{ amount: "0" }, "amount too_small"],
      [{ amount: "0.001" }, "amount too_many_decimals"],
      [{ amount: "1000000000000" }, "amount too_big"],
      [{ status: "FAILED" }, "amount invalid_value"],
    ] as const) {
      const refused = await till.refused(SETTLE, { ...capture, input: { ...capture.input, ...input } });
      expect(refused.issues).to.deep.equal([issue]);
    }
  });
});
