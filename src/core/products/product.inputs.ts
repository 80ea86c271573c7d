import { ID, InputType, Int } from "type-graphql";
import { z } from "zod";
import { inCurrency, type Currency } from "../../platform/money.ts";
import {
  changedFields,
  changesOf,
  changesSchema,
  newRecordFields,
  newRecordOf,
  newRecordSchema,
} from "../model/editable.ts";
import { field, inputOf, nullable } from "../model/fields.ts";
import { metadataField, newMetadata } from "../model/metadata.entity.ts";
import { productFields, variantFields, type Variant } from "../model/products/product.entity.ts";
import { MAX_QUANTITY } from "../model/products/stock-change.entity.ts";
import { EXPECTED_VERSION, IDEMPOTENCY_KEY } from "../mutations/operation-arguments.ts";
import { amount } from "../validation/amount.ts";
import { findVariantIssues } from "./options.ts";

export const MAX_VARIANTS = 100;

// The handle of a new product is made from its title, and the stock of a variant has separate operations.
const { handle: _handle, ...newProductFields } = productFields;
const { inventoryQuantity: _quantity, ...variantChangeFields } = variantFields;

@InputType({ description: "A new variant." })
export class NewVariantInput extends newRecordOf({ ...variantFields, ...metadataField }) {}

const newProduct = {
  ...newRecordFields({ ...newProductFields, ...newMetadata }),
  variants: field(
    [NewVariantInput],
    "The variants, 1 to 100, in display order. Exactly one if the product has no options.",
  ),
};

@InputType({ description: "A new product with its variants." })
export class CreateProductInput extends inputOf(newProduct) {}

@InputType({ description: "A product to create in bulk." })
export class BulkCreateProductInput extends inputOf({
  ...newProduct,
  idempotencyKey: nullable(String, IDEMPOTENCY_KEY.description),
}) {}

const productChanges = {
  ...changedFields({ ...productFields, ...metadataField }),
  optionNames: nullable([String], "New names for the options. The number of options cannot change. Cannot be null."),
};

@InputType({ description: "Changes to a product. Omitted fields are left unchanged." })
export class UpdateProductInput extends inputOf(productChanges) {}

@InputType({ description: "Changes to a product in bulk. Omitted fields are left unchanged." })
export class BulkUpdateProductInput extends inputOf({
  ...productChanges,
  id: field(ID, "The product."),
  expectedVersion: nullable(Int, EXPECTED_VERSION.description),
}) {}

@InputType({ description: "Changes to a variant. Omitted fields are left unchanged." })
export class UpdateVariantInput extends changesOf({ ...variantChangeFields, ...metadataField }) {}

/** The rules of new products, for REST. */
export const productRules = newRecordSchema({ ...newProductFields, ...variantFields }).shape;

export const updateProductSchema = changesSchema({ ...productFields, ...metadataField });

/** The checks of inputs with prices in this currency. */
export type ProductSchemas = ReturnType<typeof makeSchemas>;

const byCurrency = new Map<string, ProductSchemas>();

/** Cached, because creating schemas costs more than using them. */
export function productSchemas({ currency: code, currencyDecimals }: Currency): ProductSchemas {
  const name = `${code} ${currencyDecimals}`;
  let schemas = byCurrency.get(name);
  if (!schemas) byCurrency.set(name, (schemas = makeSchemas({ currency: code, currencyDecimals })));
  return schemas;
}

const hasFittingStock = ({
  isStockTracked,
  inventoryQuantity,
}: Pick<Variant, "isStockTracked" | "inventoryQuantity">) => isStockTracked || inventoryQuantity === 0;
const UNFIT_STOCK = {
  path: ["inventoryQuantity"],
  error: "Must be 0 if stock is not tracked",
  params: { code: "invalid_value" },
};

function makeSchemas(currency: Currency) {
  const price = amount({ atLeast: 0 }, currency).transform((value) => inCurrency(value, currency));
  const variant = newRecordSchema({ ...variantFields, ...metadataField }).extend({ price });
  const newVariant = variant.refine(hasFittingStock, UNFIT_STOCK);
  const updateVariant = changesSchema({ ...variantChangeFields, ...metadataField }).extend({
    price: price.optional(),
  });
  const createProductWith = (each: typeof newVariant) =>
    newRecordSchema({ ...newProductFields, ...newMetadata })
      .extend({ variants: z.array(each).min(1).max(MAX_VARIANTS) })
      .superRefine(({ optionNames, variants }, context) => {
        for (const { path, code, message } of findVariantIssues(optionNames, variants)) {
          context.addIssue({ code: "custom", path, message, params: { code } });
        }
      });
  // Imported stock may be oversold.
  const inventoryQuantity = z.int().min(-MAX_QUANTITY).max(MAX_QUANTITY).default(0);
  const importVariant = variant.extend({ inventoryQuantity }).refine(hasFittingStock, UNFIT_STOCK);
  return {
    createProduct: createProductWith(newVariant),
    importProduct: createProductWith(importVariant),
    newVariant,
    importVariant,
    updateVariant,
  };
}
