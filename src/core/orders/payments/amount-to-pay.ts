import { Big, inCurrency } from "../../../platform/money.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { OrderStatus } from "../../model/orders/order.enums.ts";
import type { PaymentMethod } from "../../model/orders/payment.enums.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { coveredAmount, refundedAmount, type PaymentAmounts } from "../order-states.ts";
import { roundFor } from "./cash-rounding.ts";

interface PayableOrder extends Pick<Order, "status" | "totalAmount"> {
  payments: readonly PaymentAmounts[];
}

/** The amount of an order that no payment covers, negative if it is overpaid. What was refunded can be captured again. */
export function openAmount({ totalAmount, payments }: Pick<PayableOrder, "totalAmount" | "payments">): Big {
  return new Big(totalAmount).minus(coveredAmount(payments)).plus(refundedAmount(payments));
}

/** The payment by this method that settles an order, exact if it is rounded to 0; 0 for an order that takes no payments. */
export function amountToPay(shop: Shop, order: PayableOrder, method: PaymentMethod): string {
  const isPayable =
    order.status === OrderStatus.CONFIRMED && order.payments.every((payment) => new Big(payment.refundedAmount).eq(0));
  if (!isPayable) return inCurrency("0", shop);
  return settlingAmount(shop, openAmount(order), method);
}

/** The payment by this method that settles an open amount. */
export function settlingAmount(shop: Shop, open: Big, method: PaymentMethod): string {
  if (open.lte(0)) return inCurrency("0", shop);
  const rounded = roundFor(method, open, shop.cashRounding);
  return inCurrency(rounded.eq(0) ? open : rounded, shop);
}
