import { expect } from "chai";
import fc from "fast-check";
import { paymentStatusOf } from "../../../src/core/orders/order-states.ts";
import { OrderPaymentStatus } from "../../../src/core/model/orders/order.enums.ts";
import { PaymentStatus } from "../../../src/core/model/orders/payment.enums.ts";
import {
  ExcessiveDiscount,
  priceOrder,
  refundOfUnits,
  type LineToPrice,
  type PricedOrder,
} from "../../../src/core/orders/price-order.ts";
import { timesFactor } from "../../support/properties/holds.ts";
import { currencyOf } from "../../support/currency.ts";
import { Big, fitsCurrency, sum } from "../../../src/platform/money.ts";

const RUNS = timesFactor(5_000);

const currency = fc.constantFrom("EUR", "HUF", "JPY", "KWD", "CLF");

/** An amount of the currency's smallest units. */
function units(count: number, code: string): string {
  return new Big(count).div(new Big(10).pow(currencyOf(code).currencyDecimals)).toFixed();
}

const order = currency.chain((code) => {
  const discount = fc.option(
    fc.oneof(
      fc.record({ amount: fc.integer({ min: 1, max: 300 }).map((count) => units(count, code)) }),
      fc.record({
        percentage: fc.integer({ min: 1, max: 1_000_000 }).map((rate) => new Big(rate).div(10_000).toFixed()),
      }),
    ),
    { nil: undefined },
  );
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 20 }),
    unitPrice: fc
      .oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 9, arbitrary: fc.integer({ min: 0, max: 5_000_000 }) })
      .map((count) => units(count, code)),
    taxRate: fc.constantFrom("0", "7", "19", "25.5", "8.8750"),
    discount,
  });
  const lines = fc.array(line, { minLength: 1, maxLength: 4 });
  return fc.record({ code: fc.constant(code), lines, discount, seed: fc.nat() });
});

describe("The price of an order", () => {
  it(`adds up to the smallest unit over ${RUNS.toLocaleString("en")} random orders, and so do their refunds`, function () {
    this.timeout(timesFactor(120_000));
    let priced = 0;
    fc.assert(
      fc.property(order, ({ code, lines, discount, seed }) => {
        const result = tryPrice(lines, discount, code);
        if (!result) return;
        priced += 1;
        checkPrice(lines, result, code);
        checkRefunds(lines, result, code, seed);
      }),
      { numRuns: RUNS },
    );
    expect(priced, "orders whose discounts were not too much").to.be.above(RUNS / 2);
  });
});

function tryPrice(
  lines: LineToPrice[],
  discount: Parameters<typeof priceOrder>[1],
  code: string,
): PricedOrder | undefined {
  try {
    return priceOrder(lines, discount, currencyOf(code));
  } catch (error) {
    if (error instanceof ExcessiveDiscount) return undefined;
    throw error;
  }
}

// chai's assertions would take minutes over so many orders.
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function checkPrice(lines: LineToPrice[], priced: PricedOrder, code: string): void {
  const subtotal = lines.reduce((total, line) => total.plus(new Big(line.unitPrice).times(line.quantity)), new Big(0));
  must(subtotal.eq(priced.subtotalAmount), "the subtotal is the sum of quantity times price");
  for (const field of ["discountAmount", "taxAmount", "totalAmount"] as const) {
    must(new Big(sum(priced.lines.map((line) => line[field]))).eq(priced[field]), `${field} is the sum of the lines'`);
    must(fitsCurrency(priced[field], currencyOf(code)), `${field} has no more decimals than the currency`);
  }
  const { subtotalAmount, discountAmount, taxAmount, totalAmount } = priced;
  must(
    new Big(subtotalAmount).minus(discountAmount).plus(taxAmount).eq(totalAmount),
    "lines − discounts + tax = total",
  );
  priced.lines.forEach((line, index) => {
    const { quantity, unitPrice, taxRate } = lines[index]!;
    const net = new Big(unitPrice).times(quantity).minus(line.discountAmount);
    must(net.gte(0) && new Big(line.discountAmount).gte(0), "no line is discounted by more than it costs");
    must(net.plus(line.taxAmount).eq(line.totalAmount), "a line adds up");
    const exact = net.times(taxRate).div(100);
    const half = new Big(1).div(new Big(10).pow(currencyOf(code).currencyDecimals)).div(2);
    must(exact.minus(line.taxAmount).abs().lte(half), "tax is off by half of the smallest unit at most");
  });
}

/** Gives every unit back, in random portions: the refunds add up to the total exactly. */
function checkRefunds(lines: LineToPrice[], priced: PricedOrder, code: string, seed: number): void {
  let refunded = new Big(0);
  lines.forEach(({ quantity }, index) => {
    const { totalAmount } = priced.lines[index]!;
    let refundedQuantity = 0;
    let portion = seed % 7;
    while (refundedQuantity < quantity) {
      portion = (portion % 7) + 1;
      const next = Math.min(portion, quantity - refundedQuantity);
      const amount = refundOfUnits({ quantity, refundedQuantity, totalAmount }, next, currencyOf(code));
      must(new Big(amount).gte(0) && fitsCurrency(amount, currencyOf(code)), "a refund is an amount of the currency");
      refunded = refunded.plus(amount);
      refundedQuantity += next;
    }
  });
  must(refunded.eq(priced.totalAmount), "the refunds of all units add up to the total");
  const payment = { status: PaymentStatus.CAPTURED, amount: priced.totalAmount, refundedAmount: refunded.toFixed() };
  const expected = refunded.gt(0) ? OrderPaymentStatus.REFUNDED : OrderPaymentStatus.PAID;
  must(paymentStatusOf(priced.totalAmount, [payment]) === expected, "all of it refunded");
}
