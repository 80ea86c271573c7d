import { z } from "zod";
import { inCurrency, type Currency } from "../../platform/money.ts";
import { amount } from "../validation/amount.ts";
import { text } from "../model/text.ts";
import { findNameIssues, findVariantIssues, MAX_OPTIONS, type OptionIssue } from "./options.ts";
import { ProductStatus } from "../model/products/product.enums.ts";
import { MAX_HANDLE_LENGTH } from "./slug.ts";
import { MAX_QUANTITY } from "../model/products/stock-change.entity.ts";

export const MAX_VARIANTS = 100;
export const MAX_NOTE_LENGTH = 500;

/** Lowercase letters and letters without case of every script, with their marks. */
const HANDLE = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}]([\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}-]*[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}])?$/u;

/** The limits of a product's fields, for both APIs. */
export const productFields = {
  title: text({ min: 1, max: 255, trim: true }),
  description: text({ max: 20_000 }).nullable(),
  status: z.enum(ProductStatus),
  handle: text({ min: 1, max: MAX_HANDLE_LENGTH })
    .normalize("NFC")
    .regex(HANDLE, { error: "Must contain only lowercase letters, digits, and hyphens between them" }),
  optionNames: z
    .array(text({ min: 1, max: 50, trim: true }))
    .max(MAX_OPTIONS)
    .superRefine((names, context) => addIssues(context, findNameIssues(names))),
};

/** One-line text that other systems compare as a whole. */
const identifier = text({ max: 64, trim: true })
  .refine((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), {
    error: "Must not contain control characters or line breaks",
    params: { code: "invalid_text" },
  })
  .meta({ description: "Trimmed, without control characters or line breaks." });

/** The limits of a variant's fields, except the price, which has a different type in each API. */
export const variantFields = {
  optionValues: z.array(text({ min: 1, max: 100, trim: true })).max(MAX_OPTIONS),
  sku: identifier,
  barcode: identifier,
  inventoryQuantity: z.int().min(0).max(MAX_QUANTITY),
};

/** The input schemas for products of shops with this currency. */
export interface ProductSchemas {
  createProduct: ReturnType<typeof makeCreateProduct>;
  newVariant: ReturnType<typeof makeNewVariant>;
  updateVariant: ReturnType<typeof makeUpdateVariant>;
}

const byCurrency = new Map<string, ProductSchemas>();

/** Cached, because creating schemas costs more than using them. */
export function productSchemas({ currency: code, currencyDecimals }: Currency): ProductSchemas {
  const name = `${code} ${currencyDecimals}`;
  const currency = { currency: code, currencyDecimals };
  let schemas = byCurrency.get(name);
  if (!schemas) {
    schemas = {
      createProduct: makeCreateProduct(currency),
      newVariant: makeNewVariant(currency),
      updateVariant: makeUpdateVariant(currency),
    };
    byCurrency.set(name, schemas);
  }
  return schemas;
}

function makeCreateProduct(currency: Currency) {
  return z
    .strictObject({
      title: productFields.title,
      description: productFields.description.default(null),
      status: productFields.status.default(ProductStatus.ACTIVE),
      optionNames: productFields.optionNames.default([]),
      variants: z.array(makeNewVariant(currency)).min(1).max(MAX_VARIANTS),
    })
    .superRefine(({ optionNames, variants }, context) => addIssues(context, findVariantIssues(optionNames, variants)));
}

function makeNewVariant(currency: Currency) {
  return z.strictObject({
    optionValues: variantFields.optionValues.default([]),
    price: priceIn(currency),
    sku: variantFields.sku.default(""),
    barcode: variantFields.barcode.default(""),
    inventoryQuantity: variantFields.inventoryQuantity.default(0),
  });
}

function makeUpdateVariant(currency: Currency) {
  const { optionValues, sku, barcode } = variantFields;
  return z.strictObject({ optionValues, price: priceIn(currency), sku, barcode }).partial();
}

function priceIn(currency: Currency) {
  return amount({ atLeast: 0 }, currency).transform((price) => inCurrency(price, currency));
}

function addIssues(context: z.RefinementCtx, issues: OptionIssue[]): void {
  for (const { path, code, message } of issues) {
    context.addIssue({ code: "custom", path, message, params: { code } });
  }
}
