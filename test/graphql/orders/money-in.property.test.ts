import { expect } from "chai";
import fc from "fast-check";
import { restateOverpaid } from "../../../src/core/orders/restate-overpaid.sql.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { Big, sum } from "../../../src/platform/money.ts";
import { holds } from "../../support/properties/holds.ts";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, PAY, REFUND, SETTLE, Till } from "../../support/shops/till.ts";

const cents = fc.integer({ min: 1, max: 4_000 }).map((count) => (count / 100).toFixed(2));
const index = fc.nat({ max: 9 });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      method: fc.constantFrom("CARD", "OTHER", "CASH"),
      status: fc.constantFrom("PENDING", "AUTHORIZED", "CAPTURED", "CAPTURED"),
      /** Null for the amount left to pay. */
      amount: fc.option(cents, { freq: 1 }),
      allowOverpayment: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      index,
      status: fc.constantFrom("CAPTURED", "CAPTURED", "FAILED", "VOIDED", "AUTHORIZED"),
      amount: fc.option(cents, { freq: 1 }),
      isTwice: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("refund" as const),
      /** Null for the price of units, "surplus" for what is overpaid, "all" for what is held. */
      amount: fc.oneof(cents, fc.constantFrom(null, "0", "surplus", "all")),
      units: fc.option(fc.record({ index, quantity: fc.integer({ min: 1, max: 3 }) }), { freq: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const) }) },
);

const history = fc.record({
  cashRounding: fc.constantFrom("0", "0.05", "0.10"),
  pricesIncludeTax: fc.boolean(),
  steps: fc.array(step, { minLength: 3, maxLength: 12, size: "max" }),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Payment {
  id: string;
  method: string;
  status: string;
  amount: string;
  refundedAmount: string;
}

interface Refund {
  amount: string;
  taxAmount: string;
  items: { itemId: string; taxAmount: string }[];
}

interface Line {
  id: string;
  quantity: number;
  totalAmount: string;
  taxAmount: string;
  refundedAmount: string;
  restockedQuantity: number;
}

interface Order {
  id: string;
  status: string;
  paymentStatus: string;
  totalAmount: string;
  taxAmount: string;
  refundedAmount: string;
  overpaidAmount: string;
  payments: Payment[];
  refunds: Refund[];
  items: Line[];
}

const READ = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { order(id: $id) {
  id status paymentStatus totalAmount taxAmount refundedAmount overpaidAmount cash: amountToPay(method: CASH) card: amountToPay(method: CARD)
  items { id quantity totalAmount taxAmount refundedAmount restockedQuantity }
  payments { id method status amount refundedAmount }
  refunds { amount taxAmount items { itemId taxAmount } } } } }`;

const FIGURES = `query ($shopId: ID!) { shop(id: $shopId) {
  overpaid: orders(isOverpaid: true, limit: 1) { total } orders { items { overpaidAmount } }
  dailyOrders(days: 2) { totalAmount refundedAmount } } }`;

interface Day {
  totalAmount: string;
  refundedAmount: string;
}

const captured = ({ payments }: Order) => payments.filter(({ status }) => status === "CAPTURED");
const heldBy = (order: Order) => new Big(sum(captured(order).map(({ amount }) => amount))).minus(order.refundedAmount);

describe("The money of an order, after any payments, captures, refunds and cancellations", () => {
  const server = useServer();
  const till = new Till(server);

  async function read(id: string): Promise<Order & { cash: string; card: string }> {
    const { data, errors } = await till.ask(READ, { id });
    expect(errors).to.deep.equal([]);
    return data.shop.order;
  }

  /** Runs a step, and returns the amount of the capture that it reported, if it is one that must be accepted. */
  async function run(given: Step, order: Awaited<ReturnType<typeof read>>): Promise<Big> {
    const { id, payments, items } = order;
    const none = new Big(0);
    if (given.kind === "cancel") {
      await till.ask(CANCEL, { id, input: {} });
    } else if (given.kind === "refund") {
      const { units } = given;
      const all = heldBy(order).toFixed(2);
      const line = units && items[units.index % items.length]!;
      const named = new Map([
        ["all", all],
        ["surplus", order.overpaidAmount],
      ]);
      const amount = named.get(given.amount ?? "") ?? given.amount;
      const input = { amount, ...(line && { items: [{ itemId: line.id, quantity: units.quantity }] }) };
      const { errors, data } = await till.ask(REFUND, { id, input });
      const isSurplus = !line && Number(amount) > 0 && Number(amount) <= Number(order.overpaidAmount);
      if (isSurplus && data?.order) expect(Number(data.order.refunds.at(-1).taxAmount), "tax of a surplus").to.equal(0);
      if (given.amount === "all" && !line && Number(all) > 0) expect(errors).to.deep.equal([]);
    } else if (given.kind === "pay") {
      const { kind: _, ...input } = given;
      const due = given.method === "CASH" ? order.cash : order.card;
      const amount = given.amount ?? (Number(due) > 0 ? due : "7.00");
      const { errors } = await till.ask(PAY, { id, input: { ...input, amount } });
      const isReported = given.status === "CAPTURED" && given.method !== "CASH" && Number(amount) > 0;
      if (isReported && given.allowOverpayment) expect(errors).to.deep.equal([]);
      if (errors.length === 0 && given.status === "CAPTURED") return new Big(amount);
    } else if (payments.length > 0) {
      const payment = payments[given.index % payments.length]!;
      const isCapture = given.status === "CAPTURED" && payment.status !== "CAPTURED";
      const input = { status: given.status, ...(given.status === "CAPTURED" && { amount: given.amount }) };
      const settle = () => till.ask(SETTLE, { id: payment.id, input });
      const answers = await Promise.all(given.isTwice ? [settle(), settle()] : [settle()]);
      if (isCapture) for (const { errors } of answers) expect(errors).to.deep.equal([]);
      if (isCapture) return new Big(given.amount ?? payment.amount);
    }
    return none;
  }

  /** What Home shows of the shop, whose only order this is. */
  async function checkFigures(order: Order, cashRounding: string): Promise<void> {
    const { status, totalAmount, items, refunds, overpaidAmount } = order;
    const { overpaid, dailyOrders } = (await till.ask(FIGURES, {})).data.shop;
    expect(overpaid.total).to.equal(Number(overpaidAmount) > 0 ? 1 : 0);
    const sales = sum(dailyOrders.map((day: Day) => new Big(day.totalAmount).minus(day.refundedAmount).toFixed()));
    const isCancelled = status === "CANCELLED";
    const prices = sum(items.map(({ refundedAmount }) => refundedAmount));
    const kept = isCancelled ? new Big(0) : new Big(totalAmount).minus(prices);
    // Refunds in cash are rounded by half a multiple at most.
    const delta = (refunds.length * Number(cashRounding)) / 2;
    expect(Number(sales), "sales after refunds").to.be.closeTo(kept.toNumber(), delta);
    await till.sql("update orders set overpaid_amount = 0 where shop_id = $1");
    await restateOverpaid(kysely(server.em), till.shop.id);
    expect((await till.ask(FIGURES, {})).data.shop.orders.items[0].overpaidAmount).to.equal(overpaidAmount);
  }

  async function check(order: Order, moneyIn: Big): Promise<void> {
    const { payments, refunds, items, refundedAmount } = order;
    const held = heldBy(order);
    expect(sum(captured(order).map(({ amount }) => amount)), "money in").to.equal(moneyIn.toFixed());
    for (const amounts of [payments.map((each) => each.refundedAmount), refunds.map(({ amount }) => amount)]) {
      expect(Number(sum(amounts))).to.equal(Number(refundedAmount));
    }
    for (const { amount, refundedAmount: back } of payments) expect(Number(back)).to.be.within(0, Number(amount));
    expect(Number(order.overpaidAmount)).to.be.within(0, held.toNumber());
    if (order.status !== "CONFIRMED") expect(Number(order.overpaidAmount)).to.equal(held.toNumber());
    for (const line of items) {
      expect(Number(line.refundedAmount)).to.be.within(0, Number(line.totalAmount));
      const taxes = refunds.flatMap((refund) => refund.items.filter(({ itemId }) => itemId === line.id));
      expect(Number(sum(taxes.map(({ taxAmount }) => taxAmount)))).to.be.within(0, Number(line.taxAmount));
    }
    const tax = sum(refunds.map(({ taxAmount }) => taxAmount));
    for (const { taxAmount, amount } of refunds) expect(Number(taxAmount)).to.be.within(0, Number(amount));
    if (order.status === "REFUNDED") expect(Number(tax)).to.equal(Number(order.taxAmount));
    else expect(Number(tax)).to.be.within(0, Number(order.taxAmount));
    const [counts] = await till.sql<{
      paid: number;
      stock: number;
    }>(`select (select count(*) from events where shop_id = $1 and topic = 'order.paid')::int as paid,
              (select sum(inventory_quantity) from variants where shop_id = $1)::int as stock`);
    expect(counts!.paid).to.be.at.most(1);
    expect(counts!.stock).to.equal(
      20 + items.reduce((units, each) => units + each.restockedQuantity - each.quantity, 0),
    );
  }

  holds("adds up, and each reported capture is accepted once", 30, () =>
    fc.asyncProperty(history, async ({ cashRounding, pricesIncludeTax, steps }) => {
      await till.open({ cashRounding, pricesIncludeTax });
      const lines = [
        // So much that each cent of the price has its tax.
        { variantId: till.plate.id, quantity: 3, taxRate: "100" },
        { variantId: till.mug.id, quantity: 1, taxRate: "19" },
      ];
      const { id } = await till.must(CREATE, till.sale({ lines }));
      let moneyIn = new Big(0);
      let order = await read(id);
      for (const given of steps) {
        moneyIn = moneyIn.plus(await run(given, order));
        order = await read(id);
        await check(order, moneyIn);
      }
      await checkFigures(order, cashRounding);
      if (heldBy(order).gt(0)) await till.must(REFUND, { id, input: { amount: heldBy(order).toFixed(2) } });
      order = await read(id);
      await check(order, moneyIn);
      await checkFigures(order, cashRounding);
      expect(heldBy(order).toNumber()).to.equal(0);
    }),
  );
});
