import { z } from "zod";
import { Big } from "../../platform/money.ts";
import { Channel } from "../model/orders/order.enums.ts";
import { amount } from "../validation/amount.ts";
import { text } from "../model/text.ts";
import { newPaymentSchema } from "./payments/add-payments.ts";

const discountSchema = z
  .strictObject({
    amount: amount({ moreThan: 0 }).nullish(),
    percentage: amount({ moreThan: 0, atMost: 100 }).nullish(),
  })
  .refine((discount) => (discount.amount == null) !== (discount.percentage == null), {
    error: "Must have either an amount or a percentage",
  })
  .nullish();

const RATE_DECIMALS = 4;

const taxRate = amount({ atLeast: 0, atMost: 100 }).refine(
  (rate) => new Big(rate).round(RATE_DECIMALS, Big.roundDown).eq(rate),
  { error: `Must have at most ${RATE_DECIMALS} decimal places`, params: { code: "too_many_decimals" } },
);

const lineSchema = z
  .strictObject({
    variantId: z.string(),
    quantity: z.int().min(1).max(100_000),
    discount: discountSchema,
    taxRate: taxRate.default("0"),
    taxAmount: amount({ atLeast: 0 }).nullish(),
  })
  .refine((line) => line.taxAmount == null || new Big(line.taxRate).eq(0), {
    path: ["taxAmount"],
    error: "Must have either a tax amount or a tax rate",
  });

export const createOrderSchema = z.strictObject({
  channel: z.enum(Channel),
  customerId: z.string().nullish(),
  lines: z.array(lineSchema).min(1).max(250),
  discount: discountSchema,
  notes: text({ max: 5_000 }).nullish(),
  payments: z.array(newPaymentSchema).max(10).default([]),
  isFulfilled: z.boolean().default(false),
});

export type NewOrder = z.output<typeof createOrderSchema>;
export type CreateOrderRequest = z.input<typeof createOrderSchema>;
