import { expect } from "chai";
import fc from "fast-check";
import { paymentStatusOf } from "../../../src/core/orders/order-states.ts";
import { OrderPaymentStatus, OrderStatus } from "../../../src/core/model/orders/order.enums.ts";
import { PaymentStatus } from "../../../src/core/model/orders/payment.enums.ts";
import {
  ExcessiveAmount,
  priceOrder,
  refundOfUnits,
  type LineToPrice,
  type PricedOrder,
  type PricingRules,
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
  const tax = fc.oneof(
    fc.record({ taxRate: fc.constantFrom("0", "7", "19", "25.5", "8.8750", "100") }),
    fc.record({ taxRate: fc.constant("0"), taxAmount: fc.nat({ max: 300 }).map((count) => units(count, code)) }),
  );
  const priced = fc.record({
    quantity: fc.integer({ min: 1, max: 20 }),
    unitPrice: fc
      .oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 9, arbitrary: fc.integer({ min: 0, max: 5_000_000 }) })
      .map((count) => units(count, code)),
    discount,
  });
  const line = fc.tuple(priced, tax).map(([fields, taxed]): LineToPrice => ({ ...fields, ...taxed }));
  const lines = fc.array(line, { minLength: 1, maxLength: 4 });
  const rules = fc.boolean().map((pricesIncludeTax) => ({ ...currencyOf(code), pricesIncludeTax }));
  return fc.record({ rules, lines, discount, seed: fc.nat() });
});

describe("The price of an order", () => {
  it(`adds up to the smallest unit over ${RUNS.toLocaleString("en")} random orders, and so do their refunds`, function () {
    this.timeout(timesFactor(120_000));
    let priced = 0;
    fc.assert(
      fc.property(order, ({ rules, lines, discount, seed }) => {
        const result = tryPrice(lines, discount, rules);
        if (!result) return;
        priced += 1;
        checkPrice(lines, result, rules);
        checkRefunds(lines, result, rules, seed);
      }),
      { numRuns: RUNS },
    );
    expect(priced, "orders whose discounts and taxes were not too much").to.be.above(RUNS / 2);
  });
});

function tryPrice(
  lines: LineToPrice[],
  discount: Parameters<typeof priceOrder>[1],
  rules: PricingRules,
): PricedOrder | undefined {
  try {
    return priceOrder(lines, discount, rules);
  } catch (error) {
    if (error instanceof ExcessiveAmount) return undefined;
    throw error;
  }
}

// chai's assertions would take minutes over so many orders.
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function checkPrice(lines: LineToPrice[], priced: PricedOrder, rules: PricingRules): void {
  const subtotal = lines.reduce((total, line) => total.plus(new Big(line.unitPrice).times(line.quantity)), new Big(0));
  must(subtotal.eq(priced.subtotalAmount), "the subtotal is the sum of quantity times price");
  for (const field of ["discountAmount", "taxAmount", "totalAmount"] as const) {
    must(new Big(sum(priced.lines.map((line) => line[field]))).eq(priced[field]), `${field} is the sum of the lines'`);
    must(fitsCurrency(priced[field], rules), `${field} has no more decimals than the currency`);
  }
  const { subtotalAmount, discountAmount, taxAmount, totalAmount } = priced;
  const added = (tax: string) => (rules.pricesIncludeTax ? 0 : tax);
  must(
    new Big(subtotalAmount).minus(discountAmount).plus(added(taxAmount)).eq(totalAmount),
    "lines − discounts + added tax = total",
  );
  priced.lines.forEach((line, index) => {
    const { quantity, unitPrice, taxRate, taxAmount: given } = lines[index]!;
    const discounted = new Big(unitPrice).times(quantity).minus(line.discountAmount);
    must(discounted.gte(0) && new Big(line.discountAmount).gte(0), "no line is discounted by more than it costs");
    must(discounted.plus(added(line.taxAmount)).eq(line.totalAmount), "a line adds up");
    must(!rules.pricesIncludeTax || discounted.gte(line.taxAmount), "included tax is a part of the price");
    const whole = rules.pricesIncludeTax ? new Big(taxRate).plus(100) : 100;
    if (given != null) return must(new Big(given).eq(line.taxAmount), "a tax amount stays as given");
    const exact = discounted.times(taxRate).div(whole);
    const half = new Big(1).div(new Big(10).pow(rules.currencyDecimals)).div(2);
    must(exact.minus(line.taxAmount).abs().lte(half), "tax is off by half of the smallest unit at most");
  });
}

/** Gives every unit back, in random portions: the refunds add up to the total exactly. */
function checkRefunds(lines: LineToPrice[], priced: PricedOrder, rules: PricingRules, seed: number): void {
  let refunded = new Big(0);
  lines.forEach(({ quantity }, index) => {
    const { totalAmount } = priced.lines[index]!;
    let refundedQuantity = 0;
    let portion = seed % 7;
    while (refundedQuantity < quantity) {
      portion = (portion % 7) + 1;
      const next = Math.min(portion, quantity - refundedQuantity);
      const amount = refundOfUnits({ quantity, refundedQuantity, totalAmount }, next, rules);
      must(new Big(amount).gte(0) && fitsCurrency(amount, rules), "a refund is an amount of the currency");
      refunded = refunded.plus(amount);
      refundedQuantity += next;
    }
  });
  must(refunded.eq(priced.totalAmount), "the refunds of all units add up to the total");
  const paid = { status: PaymentStatus.CAPTURED, amount: priced.totalAmount, roundingAmount: "0" };
  const expected = refunded.gt(0) ? OrderPaymentStatus.REFUNDED : OrderPaymentStatus.PAID;
  const placed = { status: OrderStatus.CONFIRMED, totalAmount: priced.totalAmount };
  must(paymentStatusOf(placed, [{ ...paid, refundedAmount: refunded.toFixed() }]) === expected, "all of it refunded");
}
