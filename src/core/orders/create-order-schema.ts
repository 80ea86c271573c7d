import { z } from "zod";
import { Big } from "../../platform/money.ts";
import { newRecordSchema } from "../model/editable.ts";
import { orderFields } from "../model/orders/order.entity.ts";
import { Channel } from "../model/orders/order.enums.ts";
import { newMetadata } from "../model/metadata.entity.ts";
import { amount, taxRate } from "../validation/amount.ts";
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

const lineSchema = z
  .strictObject({
    variantId: z.string(),
    quantity: z.int().min(1).max(100_000),
    discount: discountSchema,
    taxRate: taxRate.nullish(),
    taxAmount: amount({ atLeast: 0 }).nullish(),
  })
  .refine((line) => line.taxAmount == null || new Big(line.taxRate ?? 0).eq(0), {
    path: ["taxAmount"],
    error: "Must have either a tax amount or a tax rate",
  });

// The order of fields is that of the digests of idempotency keys.
const orderSchema = z.strictObject({
  channel: z.enum(Channel),
  customerId: z.string().nullish(),
  lines: z.array(lineSchema).min(1).max(250),
  discount: discountSchema,
  ...newRecordSchema(orderFields).shape,
  payments: z.array(newPaymentSchema).max(10).default([]),
  isFulfilled: z.boolean().default(false),
  expectedTotal: amount({ atLeast: 0 }).nullish(),
});

export const createOrderSchema = orderSchema.extend(newRecordSchema(newMetadata).shape);
export const quoteOrderSchema = orderSchema.omit({ payments: true, expectedTotal: true });

/** An order to price. */
export type OrderDraft = z.output<typeof quoteOrderSchema>;
export type QuoteOrderRequest = z.input<typeof quoteOrderSchema>;
export type NewOrder = z.output<typeof createOrderSchema>;
export type CreateOrderRequest = z.input<typeof createOrderSchema>;
