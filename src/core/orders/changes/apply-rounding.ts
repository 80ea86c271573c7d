import { Big, inCurrency, type Currency } from "../../../platform/money.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { roundingAmount, type PaymentRounding } from "../order-states.ts";

/** Updates the rounding of an order, which is part of its total, from its payments. */
export function applyRounding(order: Order, payments: readonly PaymentRounding[], shop: Currency): void {
  const rounding = roundingAmount(payments);
  const exact = new Big(order.totalAmount).minus(order.roundingAmount);
  order.totalAmount = inCurrency(exact.plus(rounding), shop);
  order.roundingAmount = inCurrency(rounding, shop);
}
