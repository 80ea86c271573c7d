import { Field, ID, InputType, Int } from "type-graphql";
import { DecimalScalar } from "../model/scalars.ts";
import { Channel } from "../model/orders/order.enums.ts";
import { PaymentMethod, PaymentStatus } from "../model/orders/payment.enums.ts";

@InputType({ description: "Taken off a price: either an amount or a percentage." })
class DiscountInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: "More than 0, at most what it is taken off, in the shop's currency.",
  })
  amount?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "More than 0, at most 100. The result is rounded." })
  percentage?: string | null;
}

@InputType({ description: "Units of one variant to sell." })
class OrderLineInput {
  @Field(() => ID, { description: "A variant of an active product." })
  variantId!: string;

  @Field(() => Int, { description: "1 to 100000 units." })
  quantity!: number;

  @Field(() => DiscountInput, { nullable: true, description: "Off this line." })
  discount?: DiscountInput | null;

  @Field(() => DecimalScalar, {
    defaultValue: "0",
    description: "Percent of the discounted amount: 0 to 100, at most 4 decimals.",
  })
  taxRate!: string;
}

@InputType({ description: "Money that was paid, or is on its way." })
export class PaymentInput {
  @Field(() => PaymentMethod, { description: "Store credit is taken from the order's customer at once." })
  method!: PaymentMethod;

  @Field(() => DecimalScalar, { description: "More than 0, at most what is left to pay, in the shop's currency." })
  amount!: string;

  @Field(() => PaymentStatus, { defaultValue: PaymentStatus.CAPTURED, description: "PENDING, AUTHORIZED or CAPTURED." })
  status!: PaymentStatus;

  @Field(() => String, { nullable: true, description: "The payment provider's reference: 1 to 255 characters." })
  reference?: string | null;
}

@InputType({ description: "A new order. What it costs is computed from the variants' prices." })
export class CreateOrderInput {
  @Field(() => Channel, { description: "Where it is placed." })
  channel!: Channel;

  @Field(() => ID, { nullable: true, description: "Null for a walk-in sale." })
  customerId?: string | null;

  @Field(() => [OrderLineInput], { description: "1 to 250 lines." })
  lines!: OrderLineInput[];

  @Field(() => DiscountInput, {
    nullable: true,
    description: "Off the whole order, after the lines' own discounts; spread over the lines.",
  })
  discount?: DiscountInput | null;

  @Field(() => String, { nullable: true, description: "At most 5000 characters." })
  notes?: string | null;

  @Field(() => [PaymentInput], { defaultValue: [], description: "Payments made with the order, at most 10." })
  payments!: PaymentInput[];

  @Field(() => Boolean, {
    defaultValue: false,
    description: "True when everything is handed over at once, as at a till.",
  })
  isFulfilled!: boolean;
}

@InputType({ description: "Changes to an order. Omitted fields stay as they are; null clears." })
export class UpdateOrderInput {
  @Field(() => String, { nullable: true, description: "At most 5000 characters." })
  notes?: string | null;

  @Field(() => ID, { nullable: true, description: "A customer of the shop." })
  customerId?: string | null;
}

@InputType({ description: "What became of a payment." })
export class SettlePaymentInput {
  @Field(() => PaymentStatus, { description: "AUTHORIZED, CAPTURED, FAILED or VOIDED; not back from a later one." })
  status!: PaymentStatus;

  @Field(() => String, { nullable: true, description: "Replaces the provider's reference: 1 to 255 characters." })
  reference?: string | null;
}

@InputType({ description: "Units of one line of the order." })
class OrderUnitsInput {
  @Field(() => ID, { description: "A line of the order." })
  itemId!: string;

  @Field(() => Int, { description: "Units, from 1." })
  quantity!: number;
}

@InputType({ description: "The units handed over; all that remain when omitted." })
export class FulfillOrderInput {
  @Field(() => [OrderUnitsInput], { nullable: true, description: "1 to 250 lines. Null for all that remains." })
  items?: OrderUnitsInput[] | null;
}

@InputType({ description: "The terms of a cancellation." })
export class CancelOrderInput {
  @Field(() => String, { nullable: true, description: "The reason: 1 to 500 characters." })
  reason?: string | null;

  @Field(() => Boolean, { defaultValue: true, description: "True when its units go back into stock." })
  restock!: boolean;
}

@InputType({ description: "Units of one line to give back." })
class RefundUnitsInput extends OrderUnitsInput {
  @Field(() => Boolean, {
    defaultValue: true,
    description: "True to put the units back into stock. Units of a deleted variant go back nowhere.",
  })
  restock!: boolean;
}

@InputType({
  description: "A refund: an amount, units, or units for another amount than they cost, such as 0.",
})
export class RefundOrderInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "At most what is captured and not refunded. Null: what the units cost. 0: the units come back without money. `Order.amountToRefund` says what it comes to.",
  })
  amount?: string | null;

  @Field(() => [RefundUnitsInput], { nullable: true, description: "1 to 250 lines." })
  items?: RefundUnitsInput[] | null;

  @Field(() => ID, {
    nullable: true,
    description: "The payment to give back through. Null: through the oldest that still hold money.",
  })
  paymentId?: string | null;

  @Field(() => String, { nullable: true, description: "The reason: 1 to 500 characters." })
  reason?: string | null;
}
