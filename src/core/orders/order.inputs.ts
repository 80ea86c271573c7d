import { Field, ID, InputType, Int } from "type-graphql";
import { changesOf, newRecordOf } from "../model/editable.ts";
import { metadataField, MetadataInput, newMetadata } from "../model/metadata.entity.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { orderFields } from "../model/orders/order.entity.ts";
import { Channel } from "../model/orders/order.enums.ts";
import { PaymentMethod, PaymentStatus } from "../model/orders/payment.enums.ts";

@InputType({ description: "A discount: either an amount or a percentage." })
class DiscountInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: "An amount in the shop's currency. More than 0, and at most the amount that it is deducted from.",
  })
  amount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "A percentage. More than 0, at most 100. The result is rounded.",
  })
  percentage?: string | null;
}

@InputType({ description: "A line of a new order." })
class OrderLineInput {
  @Field(() => ID, { description: "A variant of an active product." })
  variantId!: string;

  @Field(() => Int, { description: "The number of units, 1 to 100000." })
  quantity!: number;

  @Field(() => DiscountInput, { nullable: true, description: "A discount on this line." })
  discount?: DiscountInput | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The tax rate, as a percentage of the amount without tax. 0 to 100, with at most 4 decimals. Null for `Shop.defaultTaxRate`, or 0 if there is none. See `Shop.pricesIncludeTax`.",
  })
  taxRate?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The tax of the whole line after all discounts, instead of a tax rate. An amount in the shop's currency, at least 0. At most the price of the line before discounts, or after them if prices include tax. See `Shop.pricesIncludeTax`.",
  })
  taxAmount?: string | null;
}

@InputType({ description: "A payment to record." })
export class PaymentInput {
  @Field(() => PaymentMethod, {
    description: "The payment method. Store credit is deducted from the order's customer immediately.",
  })
  method!: PaymentMethod;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The amount in the shop's currency. More than 0, and at most the amount left to pay unless you set `allowOverpayment`. Null to pay what is left, after the payments before it: in cash, the rounded amount, which settles the order. See `Order.amountToPay`.",
  })
  amount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The cash that the customer hands over, at least the amount. See `Payment.change`. Only for CAPTURED payments by CASH.",
  })
  tendered?: string | null;

  @Field(() => PaymentStatus, {
    defaultValue: PaymentStatus.CAPTURED,
    description: "The status: PENDING, AUTHORIZED or CAPTURED.",
  })
  status!: PaymentStatus;

  @Field(() => String, { nullable: true, description: "The reference of the payment provider, 1 to 255 characters." })
  reference?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      "Whether to accept more than the amount left to pay, because you have received it. For CAPTURED payments by CARD, GIFT_CARD or OTHER. See `Order.overpaidAmount`.",
  })
  allowOverpayment!: boolean;
}

@InputType({ description: "An order to price: the input of `createOrder` without payments." })
export class QuoteOrderInput extends newRecordOf(orderFields) {
  @Field(() => Channel, { description: "The sales channel." })
  channel!: Channel;

  @Field(() => ID, { nullable: true, description: "The customer. Null if the order has none." })
  customerId?: string | null;

  @Field(() => [OrderLineInput], { description: "The lines, 1 to 250." })
  lines!: OrderLineInput[];

  @Field(() => DiscountInput, {
    nullable: true,
    description: "A discount on the whole order, applied after line discounts and spread over the lines.",
  })
  discount?: DiscountInput | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: "Whether all units are fulfilled immediately, as at a point of sale.",
  })
  isFulfilled!: boolean;
}

@InputType({ description: "A new order. Its total is computed from the variants' prices." })
export class CreateOrderInput extends QuoteOrderInput {
  @Field(() => [PaymentInput], { defaultValue: [], description: "Payments to record with the order, at most 10." })
  payments!: PaymentInput[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The total that you expect, such as `OrderQuote.totalAmount`: before the rounding of cash. A different total is refused, and nothing changes.",
  })
  expectedTotal?: string | null;

  @Field(() => [MetadataInput], { nullable: true, description: metadataField.metadata.description })
  metadata?: MetadataInput[] | null;

  @Field(() => [String], { nullable: true, description: newMetadata.uniqueMetadata.description })
  uniqueMetadata?: string[] | null;
}

@InputType({ description: "Changes to an order. Omitted fields are left unchanged." })
export class UpdateOrderInput extends changesOf({ ...orderFields, ...metadataField }) {
  @Field(() => ID, { nullable: true, description: "The ID of a customer of the shop. Null clears it." })
  customerId?: string | null;
}

@InputType({ description: "The new status of a payment." })
export class SettlePaymentInput {
  @Field(() => PaymentStatus, {
    description:
      "The status: AUTHORIZED, CAPTURED, FAILED or VOIDED. It cannot go back to an earlier status. CAPTURED is final, and accepted for FAILED and VOIDED payments too.",
  })
  status!: PaymentStatus;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The captured amount in the shop's currency, if it differs from the payment's. More than 0. Replaces the amount of the payment. Only for CAPTURED.",
  })
  amount?: string | null;

  @Field(() => String, { nullable: true, description: "A new reference of the payment provider, 1 to 255 characters." })
  reference?: string | null;
}

@InputType({ description: "Units of one line of the order." })
class OrderUnitsInput {
  @Field(() => ID, { description: "The ID of a line of the order." })
  itemId!: string;

  @Field(() => Int, { description: "The number of units, at least 1." })
  quantity!: number;
}

@InputType({ description: "The units to fulfill. Omit to fulfill all remaining units." })
export class FulfillOrderInput {
  @Field(() => [OrderUnitsInput], {
    nullable: true,
    description: "The lines, 1 to 250. Null to fulfill all remaining units.",
  })
  items?: OrderUnitsInput[] | null;
}

@InputType({ description: "Options for the cancellation of an order." })
export class CancelOrderInput {
  @Field(() => String, { nullable: true, description: "The reason, 1 to 500 characters." })
  reason?: string | null;

  @Field(() => Boolean, { defaultValue: true, description: "Whether to return the units to stock." })
  restock!: boolean;
}

@InputType({ description: "Units of one line to return." })
class RefundUnitsInput extends OrderUnitsInput {
  @Field(() => Boolean, {
    defaultValue: true,
    description: "Whether to return the units to stock. Has no effect on units of a deleted variant.",
  })
  restock!: boolean;
}

@InputType({ description: "A refund: an amount, units at their price, or units for a different amount, such as 0." })
export class RefundOrderInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The amount to refund. At most the captured amount that is not refunded yet. Null refunds the price of the units, and 0 returns the units without money. What goes back in cash is rounded by `Shop.cashRounding`. To preview the amount, query `Order.amountToRefund`.",
  })
  amount?: string | null;

  @Field(() => [RefundUnitsInput], { nullable: true, description: "The lines, 1 to 250." })
  items?: RefundUnitsInput[] | null;

  @Field(() => ID, { nullable: true, description: "The payment to refund. Null refunds the oldest payments first." })
  paymentId?: string | null;

  @Field(() => String, { nullable: true, description: "The reason, 1 to 500 characters." })
  reason?: string | null;
}
