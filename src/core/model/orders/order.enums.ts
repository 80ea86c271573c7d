import { registerEnumType } from "type-graphql";

export enum OrderStatus {
  CONFIRMED = "CONFIRMED",
  CANCELLED = "CANCELLED",
  REFUNDED = "REFUNDED",
}

export enum OrderPaymentStatus {
  UNPAID = "UNPAID",
  PARTIALLY_PAID = "PARTIALLY_PAID",
  PAID = "PAID",
  PARTIALLY_REFUNDED = "PARTIALLY_REFUNDED",
  REFUNDED = "REFUNDED",
  VOIDED = "VOIDED",
}

export enum FulfillmentStatus {
  UNFULFILLED = "UNFULFILLED",
  PARTIALLY_FULFILLED = "PARTIALLY_FULFILLED",
  FULFILLED = "FULFILLED",
}

export enum Channel {
  POS = "POS",
  STOREFRONT = "STOREFRONT",
}

export enum OrderSort {
  CREATED_AT = "created_at",
  UPDATED_AT = "updated_at",
  TOTAL_AMOUNT = "total_amount",
}

registerEnumType(OrderStatus, {
  name: "OrderStatus",
  description: "Where the order as a whole stands.",
  valuesConfig: {
    CONFIRMED: { description: "Placed, and neither cancelled nor refunded in full." },
    CANCELLED: { description: "Called off: all goods and money that had changed hands are back." },
    REFUNDED: { description: "Everything that it cost was given back." },
  },
});

registerEnumType(OrderPaymentStatus, {
  name: "OrderPaymentStatus",
  description: "The part of the order that is paid or refunded.",
  valuesConfig: {
    UNPAID: { description: "No money came in." },
    PARTIALLY_PAID: { description: "Some of the total came in." },
    PAID: { description: "The total came in." },
    PARTIALLY_REFUNDED: { description: "Some of what came in was given back." },
    REFUNDED: { description: "All that came in was given back." },
    VOIDED: { description: "Cancelled before any money came in." },
  },
});

registerEnumType(FulfillmentStatus, {
  name: "FulfillmentStatus",
  description: "The part of the order that was handed over.",
  valuesConfig: {
    UNFULFILLED: { description: "Nothing was handed over." },
    PARTIALLY_FULFILLED: { description: "Some units were handed over." },
    FULFILLED: { description: "Nothing remains to be handed over." },
  },
});

registerEnumType(Channel, {
  name: "Channel",
  description: "Where the order was placed: at a till or on the storefront.",
  valuesConfig: {
    POS: { description: "A till." },
    STOREFRONT: { description: "The storefront." },
  },
});

registerEnumType(OrderSort, {
  name: "OrderSort",
  description: "What a list of orders is sorted by.",
  valuesConfig: {
    CREATED_AT: { description: "When it was placed." },
    UPDATED_AT: { description: "When it last changed." },
    TOTAL_AMOUNT: { description: "What it costs." },
  },
});
