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
  description: "The status of an order.",
  valuesConfig: {
    CONFIRMED: { description: "Placed, and neither cancelled nor fully refunded." },
    CANCELLED: {
      description: "Cancelled. All fulfilled units are returned, and all payments but late captures are refunded.",
    },
    REFUNDED: { description: "Fully refunded." },
  },
});

registerEnumType(OrderPaymentStatus, {
  name: "OrderPaymentStatus",
  description: "The payment status of an order.",
  valuesConfig: {
    UNPAID: { description: "No payment is captured." },
    PARTIALLY_PAID: { description: "Part of the total is paid." },
    PAID: { description: "The total is paid." },
    PARTIALLY_REFUNDED: { description: "Part of the payments is refunded." },
    REFUNDED: { description: "All payments are refunded." },
    VOIDED: { description: "Cancelled before any payment was captured." },
  },
});

registerEnumType(FulfillmentStatus, {
  name: "FulfillmentStatus",
  description: "The fulfilment status of an order.",
  valuesConfig: {
    UNFULFILLED: { description: "No units are fulfilled." },
    PARTIALLY_FULFILLED: { description: "Some units are fulfilled." },
    FULFILLED: { description: "No units remain to be fulfilled." },
  },
});

registerEnumType(Channel, {
  name: "Channel",
  description: "The sales channel of an order.",
  valuesConfig: {
    POS: { description: "Point of sale." },
    STOREFRONT: { description: "The online storefront." },
  },
});

registerEnumType(OrderSort, {
  name: "OrderSort",
  description: "The field to sort orders by.",
  valuesConfig: {
    CREATED_AT: { description: "The time when the order was placed." },
    UPDATED_AT: { description: "The time of the last change." },
    TOTAL_AMOUNT: { description: "The total amount." },
  },
});
