import { expect } from "chai";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, FULFILL, PAY, REFUND, useTill } from "../../support/shops/till.ts";

describe("Returning units without money", () => {
  const server = useServer();
  const till = useTill(server);

  // oxlint-disable-next-line typescript/no-explicit-any -- orders of whatever fields
  async function handOver(overrides: Record<string, unknown> = {}): Promise<any> {
    const order = await till.must(CREATE, till.sale({ isFulfilled: true, ...overrides }));
    await till.takeEvents();
    return order;
  }

  /** Units of the order's first line, for nothing. */
  const back = (order: { items: { id: string }[] }, quantity: number, more: object = {}) => ({
    amount: "0",
    items: [{ itemId: order.items[0]!.id, quantity, ...more }],
  });

  const cash = (amount: string) => [{ method: "CASH", amount }];

  it("cancels an unpaid, fulfilled order once all units are returned", async () => {
    const order = await handOver();
    const { id } = order;
    expect((await till.refused(CANCEL, { id, input: {} })).code).to.equal("INVALID_STATE");
    const first = await till.must(REFUND, { id, input: back(order, 1) });
    expect(first).to.include({ status: "CONFIRMED", paymentStatus: "UNPAID", refundedAmount: "0.00" });
    expect(await till.takeEvents()).to.deep.equal(["order.updated", "product.updated"]);
    const last = await till.must(REFUND, { id, input: { ...back(order, 1), reason: "Handed over by mistake" } });
    expect(last).to.include({
      status: "CANCELLED",
      paymentStatus: "VOIDED",
      cancelReason: "Handed over by mistake",
      version: 3,
    });
    expect(last.items[0]).to.include({ refundedQuantity: 2, restockedQuantity: 2 });
    expect(last.refunds[1]).to.deep.include({
      amount: "0.00",
      items: [{ itemId: order.items[0].id, quantity: 1, taxAmount: "0.00", restocked: true }],
      payments: [],
    });
    expect(await till.stockOf(till.mug)).to.equal(10);
    expect(await till.takeEvents()).to.deep.equal(["order.cancelled", "product.updated"]);
  });

  it("returns fulfilled and unfulfilled units of an item", async () => {
    const order = await till.must(CREATE, till.sale());
    const { id } = order;
    await till.must(FULFILL, { id, input: { items: [{ itemId: order.items[0].id, quantity: 1 }] } });
    expect(await till.must(REFUND, { id, input: back(order, 2) })).to.include({ status: "CANCELLED" });
    expect(await till.stockOf(till.mug)).to.equal(10);
  });

  it("leaves units out of stock on request", async () => {
    const order = await handOver();
    const cancelled = await till.must(REFUND, { id: order.id, input: back(order, 2, { restock: false }) });
    expect(cancelled).to.include({ status: "CANCELLED", paymentStatus: "VOIDED" });
    expect(cancelled.items[0]).to.include({ refundedQuantity: 2, restockedQuantity: 0 });
    expect(await till.stockOf(till.mug)).to.equal(8);
    expect(await till.takeEvents()).to.deep.equal(["order.cancelled"]);
  });

  it("voids pending payments", async () => {
    const order = await handOver({ payments: [{ method: "CARD", amount: "23.80", status: "AUTHORIZED" }] });
    const cancelled = await till.must(REFUND, { id: order.id, input: back(order, 2) });
    expect(cancelled).to.include({ status: "CANCELLED", paymentStatus: "VOIDED" });
    expect(cancelled.payments[0].status).to.equal("VOIDED");
  });

  it("cancels a free order, also without an amount", async () => {
    const order = await handOver({ discount: { percentage: "100" } });
    const items = [{ itemId: order.items[0].id, quantity: 1 }];
    expect(await till.must(REFUND, { id: order.id, input: { items } })).to.include({ status: "CONFIRMED" });
    expect(await till.must(REFUND, { id: order.id, input: { items } })).to.include({
      status: "CANCELLED",
      paymentStatus: "VOIDED",
    });
  });

  it("restocks units after a refund by amount, and leaves the order REFUNDED", async () => {
    const order = await handOver({ payments: cash("23.80") });
    const { id } = order;
    await till.must(REFUND, { id, input: { amount: "23.80" } });
    await till.takeEvents();
    const returned = await till.must(REFUND, { id, input: back(order, 2) });
    expect(returned).to.include({ status: "REFUNDED", paymentStatus: "REFUNDED", refundedAmount: "23.80" });
    expect(await till.stockOf(till.mug)).to.equal(10);
    expect(await till.takeEvents()).to.deep.equal(["order.updated", "product.updated"]);
    expect((await till.refused(REFUND, { id, input: back(order, 1) })).issues).to.deep.equal([
      "items.0.quantity too_big",
    ]);
  });

  it("leaves an order open until all captured money is refunded", async () => {
    const order = await handOver({ payments: cash("5") });
    const { id } = order;
    expect(await till.must(REFUND, { id, input: back(order, 2) })).to.include({
      status: "CONFIRMED",
      paymentStatus: "PARTIALLY_PAID",
    });
    await till.takeEvents();
    const ended = await till.must(REFUND, { id, input: { amount: "5" } });
    expect(ended).to.include({ status: "CANCELLED", paymentStatus: "REFUNDED" });
    expect(await till.takeEvents()).to.deep.equal(["order.cancelled", "order.refunded"]);
  });

  it("ends a partly paid, refunded order with the last of its units", async () => {
    const order = await handOver({ payments: cash("5") });
    const { id } = order;
    await till.must(REFUND, { id, input: { amount: "5" } });
    expect(await till.must(REFUND, { id, input: back(order, 2) })).to.include({
      status: "CANCELLED",
      paymentStatus: "REFUNDED",
    });
  });

  it("allows a refund of a paid order afterward", async () => {
    const order = await handOver({ payments: cash("23.80") });
    const { id } = order;
    expect(await till.must(REFUND, { id, input: back(order, 2) })).to.include({ status: "CONFIRMED" });
    expect(await till.must(REFUND, { id, input: { amount: "23.80" } })).to.include({ status: "REFUNDED" });
  });

  it("leaves the total of an unpaid order, which can still be paid", async () => {
    const order = await handOver();
    await till.must(REFUND, { id: order.id, input: back(order, 1) });
    expect(await till.must(PAY, { id: order.id, input: { method: "CASH", amount: "23.80" } })).to.include({
      paymentStatus: "PAID",
    });
  });

  it("happens once per idempotency key, and never for more units than exist", async () => {
    const order = await handOver();
    const { id } = order;
    const variables = { id, input: back(order, 1), idempotencyKey: "back-1" };
    await Promise.all([till.must(REFUND, variables), till.must(REFUND, variables)]);
    expect(await till.stockOf(till.mug)).to.equal(9);
    const answers = await Promise.all(Array.from({ length: 5 }, () => till.ask(REFUND, { id, input: back(order, 1) })));
    expect(answers.filter(({ data }) => data?.order)).to.have.length(1);
    expect(await till.stockOf(till.mug)).to.equal(10);
  });

  it("is refused without units, for a cancelled order, and as a refund without captured money", async () => {
    const order = await handOver();
    const { id } = order;
    const items = [{ itemId: order.items[0].id, quantity: 1 }];
    expect((await till.refused(REFUND, { id, input: { amount: "0" } })).issues).to.deep.equal(["amount too_small"]);
    expect((await till.refused(REFUND, { id, input: { items } })).code).to.equal("INVALID_STATE");
    const cancelled = await till.must(CREATE, till.sale());
    await till.must(CANCEL, { id: cancelled.id, input: {} });
    expect(await till.refused(REFUND, { id: cancelled.id, input: back(cancelled, 1) })).to.include({
      code: "INVALID_STATE",
    });
    const [row] = await till.sql("select 1 from refunds where shop_id = $1");
    expect(row).to.equal(undefined);
  });
});
