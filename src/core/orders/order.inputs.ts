import { ID, InputType, Int } from "type-graphql";
import { changedFields, newRecordFields } from "../model/editable.ts";
import { field, inputOf, nullable } from "../model/fields.ts";
import { metadataField, newMetadata } from "../model/metadata.entity.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { orderFields } from "../model/orders/order.entity.ts";
import { Channel } from "../model/orders/order.enums.ts";
import { PaymentMethod, PaymentStatus } from "../model/orders/payment.enums.ts";

@InputType({ description: "A discount: either an amount or a percentage." })
class DiscountInput extends inputOf({
  amount: nullable(
    DecimalScalar,
    "An amount in the shop's currency. More than 0, and at most the amount that it is deducted from.",
  ),
  percentage: nullable(DecimalScalar, "A percentage. More than 0, at most 100. The result is rounded."),
}) {}

@InputType({ description: "A line of a new order." })
class OrderLineInput extends inputOf({
  variantId: field(ID, "A variant of an active product."),
  quantity: field(Int, "The number of units, 1 to 100000."),
  discount: nullable(DiscountInput, "A discount on this line."),
  taxRate: nullable(
    DecimalScalar,
    "The tax rate, as a percentage of the amount without tax. 0 to 100, with at most 4 decimals. Null for `Shop.defaultTaxRate`, or 0 if there is none. See `Shop.pricesIncludeTax`.",
  ),
  taxAmount: nullable(
    DecimalScalar,
    "The tax of the whole line after all discounts, instead of a tax rate. An amount in the shop's currency, at least 0. At most the price of the line before discounts, or after them if prices include tax. See `Shop.pricesIncludeTax`.",
  ),
}) {}

@InputType({ description: "A payment to record." })
export class PaymentInput extends inputOf({
  method: field(PaymentMethod, "The payment method. Store credit is deducted from the order's customer immediately."),
  amount: nullable(
    DecimalScalar,
    "The amount in the shop's currency. More than 0, and at most the amount left to pay unless you set `allowOverpayment`. Null to pay what is left, after the payments before it: in cash, the rounded amount, which settles the order. See `Order.amountToPay`.",
  ),
  tendered: nullable(
    DecimalScalar,
    "The cash that the customer hands over, at least the amount. See `Payment.change`. Only for CAPTURED payments by CASH.",
  ),
  status: field(PaymentStatus, "The status: PENDING, AUTHORIZED or CAPTURED.", {
    defaultValue: PaymentStatus.CAPTURED,
  }),
  reference: nullable(String, "The reference of the payment provider, 1 to 255 characters."),
  allowOverpayment: field(
    Boolean,
    "Whether to accept more than the amount left to pay, because you have received it. For CAPTURED payments by CARD, GIFT_CARD or OTHER. See `Order.overpaidAmount`.",
    { defaultValue: false },
  ),
}) {}

const quoteFields = {
  ...newRecordFields(orderFields),
  channel: field(Channel, "The sales channel."),
  customerId: nullable(ID, "The customer. Null if the order has none."),
  lines: field([OrderLineInput], "The lines, 1 to 250."),
  discount: nullable(
    DiscountInput,
    "A discount on the whole order, applied after line discounts and spread over the lines.",
  ),
  isFulfilled: field(Boolean, "Whether all units are fulfilled immediately, as at a point of sale.", {
    defaultValue: false,
  }),
};

@InputType({ description: "An order to price: the input of `createOrder` without payments." })
export class QuoteOrderInput extends inputOf(quoteFields) {}

@InputType({ description: "A new order. Its total is computed from the variants' prices." })
export class CreateOrderInput extends inputOf({
  ...quoteFields,
  ...newRecordFields(newMetadata),
  payments: field([PaymentInput], "Payments to record with the order, at most 10.", { defaultValue: [] }),
  expectedTotal: nullable(
    DecimalScalar,
    "The total that you expect, such as `OrderQuote.totalAmount`: before the rounding of cash. A different total is refused, and nothing changes.",
  ),
}) {}

@InputType({ description: "Changes to an order. Omitted fields are left unchanged." })
export class UpdateOrderInput extends inputOf({
  ...changedFields({ ...orderFields, ...metadataField }),
  customerId: nullable(ID, "The ID of a customer of the shop. Null clears it."),
}) {}

@InputType({ description: "The new status of a payment." })
export class SettlePaymentInput extends inputOf({
  status: field(
    PaymentStatus,
    "The status: AUTHORIZED, CAPTURED, FAILED or VOIDED. It cannot go back to an earlier status. CAPTURED is final, and accepted for FAILED and VOIDED payments too.",
  ),
  amount: nullable(
    DecimalScalar,
    "The captured amount in the shop's currency, if it differs from the payment's. More than 0. Replaces the amount of the payment. Only for CAPTURED.",
  ),
  reference: nullable(String, "A new reference of the payment provider, 1 to 255 characters."),
}) {}

const units = {
  itemId: field(ID, "The ID of a line of the order."),
  quantity: field(Int, "The number of units, at least 1."),
};

@InputType({ description: "Units of one line of the order." })
class OrderUnitsInput extends inputOf(units) {}

@InputType({ description: "The units to fulfill. Omit to fulfill all remaining units." })
export class FulfillOrderInput extends inputOf({
  items: nullable([OrderUnitsInput], "The lines, 1 to 250. Null to fulfill all remaining units."),
}) {}

@InputType({ description: "Options for the cancellation of an order." })
export class CancelOrderInput extends inputOf({
  reason: nullable(String, "The reason, 1 to 500 characters."),
  restock: field(Boolean, "Whether to return the units to stock.", { defaultValue: true }),
}) {}

@InputType({ description: "Units of one line to return." })
class RefundUnitsInput extends inputOf({
  ...units,
  restock: field(Boolean, "Whether to return the units to stock. Has no effect on units of a deleted variant.", {
    defaultValue: true,
  }),
}) {}

@InputType({ description: "A refund: an amount, units at their price, or units for a different amount, such as 0." })
export class RefundOrderInput extends inputOf({
  amount: nullable(
    DecimalScalar,
    "The amount to refund. At most the captured amount that is not refunded yet. Null refunds the price of the units, and 0 returns the units without money. What goes back in cash is rounded by `Shop.cashRounding`. To preview the amount, query `Order.amountToRefund`.",
  ),
  items: nullable([RefundUnitsInput], "The lines, 1 to 250."),
  paymentId: nullable(ID, "The payment to refund. Null refunds the oldest payments first."),
  reason: nullable(String, "The reason, 1 to 500 characters."),
}) {}
