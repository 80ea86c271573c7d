import type { EntityManager } from "@mikro-orm/postgresql";
import fc from "fast-check";
import { operator } from "../../../src/core/access/actor.ts";
import { OrderStatus } from "../../../src/core/model/orders/order.enums.ts";
import { PaymentMethod, PaymentStatus } from "../../../src/core/model/orders/payment.enums.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { roundFor } from "../../../src/core/orders/payments/cash-rounding.ts";
import { planRefund } from "../../../src/core/orders/payments/plan-refund.ts";
import { priceOrder } from "../../../src/core/orders/price-order.ts";
import { Big, sum } from "../../../src/platform/money.ts";
import { currencyOf } from "../../support/currency.ts";
import { timesFactor } from "../../support/properties/holds.ts";

const { CARD, CASH } = PaymentMethod;

const sale = fc
  .constantFrom(["EUR", "0.05"], ["EUR", "0.1"], ["HUF", "1"], ["KWD", "0.05"], ["JPY", "0"])
  .chain(([code, cashRounding]) => {
    const currency = currencyOf(code!);
    const units = (count: number) => new Big(count).div(new Big(10).pow(currency.currencyDecimals)).toFixed();
    const line = fc.record({
      quantity: fc.integer({ min: 1, max: 5 }),
      unitPrice: fc.integer({ min: 1, max: 3_000 }).map(units),
      taxRate: fc.constantFrom("0", "7", "19", "25.5"),
      // Instead of the rate. A line that is not free costs at least this.
      taxAmount: fc.constantFrom(null, units(1)),
      discount: fc.constantFrom(null, { percentage: "10" }, { percentage: "33.3" }),
    });
    return fc.record({
      shop: fc.boolean().map((pricesIncludeTax) => ({ ...currency, pricesIncludeTax, cashRounding }) as Shop),
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      /** The part that is paid by card, before the rest is paid in cash. Percent. */
      byCard: fc.integer({ min: 0, max: 100 }),
      cashFirst: fc.boolean(),
      seed: fc.nat(),
    });
  });

type Sale = typeof sale extends fc.Arbitrary<infer Value> ? Value : never;

/** The payments of an order, a part of it by card and the rest in cash. */
function pay({ shop, byCard, cashFirst }: Sale, total: string) {
  const card = new Big(total).times(byCard).div(100).round(shop.currencyDecimals);
  const owed = new Big(total).minus(card);
  const rounded = roundFor(CASH, owed, shop.cashRounding);
  const cash = rounded.eq(0) ? owed : rounded;
  const payment = (method: PaymentMethod, amount: Big, rounding: Big) => ({
    id: method,
    method,
    status: PaymentStatus.CAPTURED,
    amount: amount.toFixed(),
    roundingAmount: rounding.toFixed(),
    refundedAmount: "0",
    refundedRoundingAmount: "0",
  });
  const payments = [payment(CARD, card, new Big(0)), payment(CASH, cash, cash.minus(owed))];
  return cashFirst ? payments.toReversed() : payments;
}

describe("Refunds of an order that is paid by card and in cash", () => {
  it("add up to what was paid, unit by unit in any order", () => {
    fc.assert(
      fc.property(sale, (given) => {
        const { shop, lines, seed } = given;
        const priced = priceOrder(lines, null, shop);
        const items = lines.map(({ quantity }, index) => {
          return { id: String(index), quantity, refundedQuantity: 0, refundedAmount: "0", ...priced.lines[index]! };
        });
        const payments = pay(given, priced.totalAmount);
        const order = { status: OrderStatus.CONFIRMED, items, payments };
        const operation = { em: undefined as unknown as EntityManager, shop, actor: operator };
        for (let turn = seed; items.some((item) => item.refundedQuantity < item.quantity); turn += 7) {
          const open = items.filter((item) => item.refundedQuantity < item.quantity);
          const item = open[turn % open.length]!;
          const { shares } = planRefund(operation, order, { items: [{ itemId: item.id, quantity: 1, restock: true }] });
          for (const share of shares) {
            const payment = payments.find(({ id }) => id === share.payment.id)!;
            payment.refundedAmount = sum([payment.refundedAmount, share.amount]);
            payment.refundedRoundingAmount = sum([payment.refundedRoundingAmount, share.roundingAmount]);
            if (new Big(payment.refundedAmount).gt(payment.amount)) return false;
          }
          item.refundedQuantity += 1;
        }
        return payments.every((payment) => new Big(payment.refundedAmount).eq(payment.amount));
      }),
      { numRuns: timesFactor(1_000) },
    );
  }).timeout(timesFactor(60_000));
});
