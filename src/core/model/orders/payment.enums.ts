import { registerEnumType } from "type-graphql";

export enum PaymentMethod {
  CASH = "CASH",
  CARD = "CARD",
  STORE_CREDIT = "STORE_CREDIT",
  GIFT_CARD = "GIFT_CARD",
  OTHER = "OTHER",
}

export enum PaymentStatus {
  PENDING = "PENDING",
  AUTHORIZED = "AUTHORIZED",
  CAPTURED = "CAPTURED",
  FAILED = "FAILED",
  VOIDED = "VOIDED",
}

registerEnumType(PaymentMethod, {
  name: "PaymentMethod",
  description: "A payment method.",
  valuesConfig: {
    CASH: { description: "Cash." },
    CARD: { description: "A card, through a terminal or a payment provider." },
    STORE_CREDIT: { description: "The customer's store credit." },
    GIFT_CARD: { description: "A gift card." },
    OTHER: { description: "Another method." },
  },
});

registerEnumType(PaymentStatus, {
  name: "PaymentStatus",
  description: "The status of a payment.",
  valuesConfig: {
    PENDING: { description: "Pending: the payment provider has not confirmed it yet." },
    AUTHORIZED: { description: "Authorized by the payment provider, not captured yet." },
    CAPTURED: { description: "Captured: the payment was received." },
    FAILED: { description: "Failed." },
    VOIDED: { description: "Voided before it was captured." },
  },
});
