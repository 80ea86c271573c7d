import { enumType } from "../enum-type.ts";

export const PaymentMethod = enumType("PaymentMethod", "A payment method.", {
  CASH: "Cash.",
  CARD: "A card, through a terminal or a payment provider.",
  STORE_CREDIT: "The customer's store credit.",
  GIFT_CARD: "A gift card.",
  OTHER: "Another method.",
});
export type PaymentMethod = keyof typeof PaymentMethod;

export const PaymentStatus = enumType("PaymentStatus", "The status of a payment.", {
  PENDING: "Pending: the payment provider has not confirmed it yet.",
  AUTHORIZED: "Authorized by the payment provider, not captured yet.",
  CAPTURED: "Captured: the payment was received.",
  FAILED: "Failed.",
  VOIDED: "Voided before it was captured.",
});
export type PaymentStatus = keyof typeof PaymentStatus;
