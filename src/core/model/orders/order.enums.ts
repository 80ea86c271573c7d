import { enumType, lowercaseEnum, type ValueOf } from "../enum-type.ts";

export const OrderStatus = enumType("OrderStatus", "The status of an order.", {
  CONFIRMED: "Placed, and neither cancelled nor fully refunded.",
  CANCELLED: "Cancelled. All fulfilled units are returned, and all payments but late captures are refunded.",
  REFUNDED: "Fully refunded, except for late captures.",
});
export type OrderStatus = keyof typeof OrderStatus;

export const OrderPaymentStatus = enumType("OrderPaymentStatus", "The payment status of an order.", {
  UNPAID: "No payment is captured.",
  PARTIALLY_PAID: "Part of the total is paid.",
  PAID: "The total is paid.",
  PARTIALLY_REFUNDED: "Part of the payments is refunded.",
  REFUNDED: "All payments are refunded.",
  VOIDED: "Cancelled before any payment was captured.",
});
export type OrderPaymentStatus = keyof typeof OrderPaymentStatus;

export const FulfillmentStatus = enumType("FulfillmentStatus", "The fulfillment status of an order.", {
  UNFULFILLED: "No units are fulfilled.",
  PARTIALLY_FULFILLED: "Some units are fulfilled.",
  FULFILLED: "No units remain to be fulfilled.",
});
export type FulfillmentStatus = keyof typeof FulfillmentStatus;

export const Channel = enumType("Channel", "The sales channel of an order.", {
  POS: "Point of sale.",
  STOREFRONT: "The online storefront.",
});
export type Channel = keyof typeof Channel;

export const OrderSort = lowercaseEnum("OrderSort", "The field to sort orders by.", {
  CREATED_AT: "The time when the order was placed.",
  UPDATED_AT: "The time of the last change.",
  TOTAL_AMOUNT: "The total amount.",
});
export type OrderSort = ValueOf<typeof OrderSort>;
