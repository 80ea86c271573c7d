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
  description: "A method of payment.",
  valuesConfig: {
    CASH: { description: "Notes and coins." },
    CARD: { description: "A card, by a terminal or a payment provider." },
    STORE_CREDIT: { description: "The customer's store credit." },
    GIFT_CARD: { description: "A gift card." },
    OTHER: { description: "Some other way." },
  },
});

registerEnumType(PaymentStatus, {
  name: "PaymentStatus",
  description: "The status of one payment.",
  valuesConfig: {
    PENDING: { description: "On its way." },
    AUTHORIZED: { description: "Promised by the provider, not taken yet." },
    CAPTURED: { description: "The money came in." },
    FAILED: { description: "It will not come." },
    VOIDED: { description: "Called off before the money came." },
  },
});
