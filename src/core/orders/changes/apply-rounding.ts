import { Big, inCurrency, type Currency } from "../../../platform/money.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { roundingAmount, type PaymentRounding } from "../order-states.ts";

/** Brings the rounding of an order, and with it the total, to what its payments now are. */
export function applyRounding(order: Order, payments: readonly PaymentRounding[], shop: Currency): void {
  const rounding = roundingAmount(payments);
  const exact = new Big(order.totalAmount).minus(order.roundingAmount);
  order.totalAmount = inCurrency(exact.plus(rounding), shop);
  order.roundingAmount = inCurrency(rounding, shop);
}
