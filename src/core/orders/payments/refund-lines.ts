import { Big, inCurrency, type Currency } from "../../../platform/money.ts";
import type { OrderItem } from "../../model/orders/order-item.entity.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { PaymentStatus } from "../../model/orders/payment.enums.ts";
import { heldAmount } from "../order-states.ts";
import { shareOf, spread } from "../price-order.ts";
import { heldBy } from "./cash-rounding.ts";
import type { RefundablePayment } from "./share-refund.ts";

export type HeldPayment = Omit<RefundablePayment, "id" | "method">;

export type RefundableLine = Pick<OrderItem, "id" | "totalAmount" | "taxAmount" | "refundedAmount">;

type PricedLine = Pick<OrderItem, "totalAmount" | "refundedAmount">;

interface HeldOrder<Line = PricedLine> extends Pick<Order, "status"> {
  items: readonly Line[];
  payments: readonly HeldPayment[];
}

/** The part of a refund that is the price of one line, and the tax in it. */
export interface LineShare {
  amount: string;
  taxAmount: string;
}

const unrefunded = (line: PricedLine) => new Big(line.totalAmount).minus(line.refundedAmount);
const smaller = (one: Big, other: Big) => (one.lt(other) ? one : other);
const notNegative = (amount: Big) => (amount.lt(0) ? new Big(0) : amount);
const total = (amounts: readonly Big[]) => amounts.reduce((whole, each) => whole.plus(each), new Big(0));

/** The price that the unrefunded money pays, without the rounding of cash. */
function heldWorth(payments: readonly HeldPayment[]): Big {
  return total(payments.filter(({ status }) => status === PaymentStatus.CAPTURED).map((each) => heldBy(each).worth));
}

/** The captured amount that an order holds beyond its unrefunded price: all of it once it is refunded or cancelled. */
export function overpaidAmount({ status, items, payments }: HeldOrder): Big {
  const held = new Big(heldAmount(payments));
  if (status !== OrderStatus.CONFIRMED) return held;
  return smaller(notNegative(heldWorth(payments).minus(total(items.map(unrefunded)))), held);
}

/**
 * Shares a refund between the lines of an order: first the returned units up to their price, then what is overpaid, which
 * is no line's, and then all lines by their unrefunded price. The taxes of a line's refunds add up to its tax exactly.
 *
 * @param refund the money, and the rounding of cash in it
 * @param prices of the returned units, by line
 */
export function shareOverLines(
  order: HeldOrder<RefundableLine>,
  refund: { money: string; rounding: string },
  prices: ReadonlyMap<string, string>,
  shop: Currency,
): Map<string, LineShare> {
  const { items, payments } = order;
  // The last money pays the rest of the price, with any rounding.
  const isLast = new Big(refund.money).gt(0) && new Big(refund.money).eq(heldAmount(payments));
  const worth = notNegative(isLast ? heldWorth(payments) : new Big(refund.money).minus(refund.rounding));
  const limits = items.map((line) => smaller(new Big(prices.get(line.id) ?? 0), unrefunded(line)));
  const ofUnits = spread(worth, limits, shop);
  const rest = notNegative(worth.minus(total(ofUnits)).minus(overpaidAmount(order)));
  const left = items.map((line, index) => unrefunded(line).minus(ofUnits[index]!));
  const ofRest = spread(rest, left, shop);
  return new Map(
    items.map((line, index) => {
      const from = new Big(line.refundedAmount);
      const amount = ofUnits[index]!.plus(ofRest[index]!);
      const range = { from, to: from.plus(amount), of: new Big(line.totalAmount) };
      const tax = shareOf(new Big(line.taxAmount), range, shop.currencyDecimals);
      return [line.id, { amount: inCurrency(amount, shop), taxAmount: inCurrency(tax, shop) }];
    }),
  );
}
