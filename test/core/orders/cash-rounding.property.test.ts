import fc from "fast-check";
import { PaymentMethod } from "../../../src/core/model/orders/payment.enums.ts";
import { heldBy, refundOfPart, roundFor } from "../../../src/core/orders/payments/cash-rounding.ts";
import { Big } from "../../../src/platform/money.ts";
import { timesFactor } from "../../support/properties/holds.ts";

const RUNS = timesFactor(2_000);
const { CASH } = PaymentMethod;

const step = fc.constantFrom("0", "0.05", "0.1", "1");
/** An amount with three decimals, so that each step has its halves. */
const amount = fc.integer({ min: 1, max: 5_000_000 }).map((count) => new Big(count).div(1_000));

const check = (property: fc.IRawProperty<unknown>) => fc.assert(property as fc.IProperty<unknown>, { numRuns: RUNS });

describe("The rounding of cash", () => {
  it("refunds exactly what was paid in any parts, and is off by half a multiple at most before the last", () => {
    const parts = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 12 });
    check(
      fc.property(amount, step, parts, fc.boolean(), (owed, coin, weights, isRounded) => {
        const paid = isRounded ? roundFor(CASH, owed, coin) : owed;
        const payment = {
          method: CASH,
          amount: paid.toFixed(),
          roundingAmount: paid.minus(owed).toFixed(),
          refundedAmount: "0",
          refundedRoundingAmount: "0",
        };
        const whole = weights.reduce((sum, weight) => sum + weight, 0);
        let weight = 0;
        let refundedWorth = new Big(0);
        for (const each of weights) {
          weight += each;
          const upTo = owed.times(weight).div(whole).round(3);
          const part = upTo.minus(refundedWorth);
          const money = refundOfPart(payment, part, coin);
          refundedWorth = upTo;
          payment.refundedAmount = money.plus(payment.refundedAmount).toFixed();
          payment.refundedRoundingAmount = money.minus(part).plus(payment.refundedRoundingAmount).toFixed();
          if (money.lt(0) || heldBy(payment).money.lt(0)) return false;
          const isOver = upTo.eq(owed);
          if (
            isOver ? !heldBy(payment).money.eq(0) : refundedWorth.minus(payment.refundedAmount).abs().times(2).gt(coin)
          )
            return false;
        }
        return heldBy(payment).worth.eq(0);
      }),
    );
  });
});
