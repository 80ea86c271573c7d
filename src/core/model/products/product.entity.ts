import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { z } from "zod";
import { foldCase } from "../../../platform/fold-text.ts";
import { Words } from "../../../platform/postgres/types.ts";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { ProductStatus } from "./product.enums.ts";
import { DescribedRow, shopReference } from "../shop-row.ts";
import { rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";
import { editable, storedFields } from "../editable.ts";
import { text } from "../text.ts";
import { MAX_QUANTITY } from "./stock-change.entity.ts";

export const MAX_HANDLE_LENGTH = 200;
export const MAX_OPTIONS = 3;

/** Lowercase letters and letters without case of every script, with their marks. */
const HANDLE = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}]([\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}-]*[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}])?$/u;

export const productFields = {
  title: editable(String, text({ min: 1, max: 255, trim: true }), {
    description: "The title, 1 to 255 characters.",
    limits: "1 to 255 characters after trimming.",
  }),
  description: editable(String, text({ max: 20_000 }).nullable().default(null), {
    description: "The description for customers.",
    limits: "At most 20000 characters.",
    complexity: 20,
  }),
  status: editable(ProductStatus, z.enum(ProductStatus).default(ProductStatus.ACTIVE), {
    description: "The status of the product.",
  }),
  handle: editable(
    String,
    text({ min: 1, max: MAX_HANDLE_LENGTH })
      .normalize("NFC")
      .regex(HANDLE, { error: "Must contain only lowercase letters, digits, and hyphens between them" }),
    {
      description: "The product's name in URLs, unique in the shop.",
      limits:
        "The product's name in URLs, unique in the shop. 1 to 200 lowercase letters of any script, digits, and hyphens between them.",
    },
  ),
  optionNames: editable(
    [String],
    z
      .array(text({ min: 1, max: 50, trim: true }))
      .max(MAX_OPTIONS)
      .superRefine(refuseRepeated)
      .default([]),
    {
      description:
        "The names of the options, such as Size and Color. At most three. Empty if the product has no options.",
      limits:
        "The names of the options, such as Size and Color. At most 3, all different, of 1 to 50 characters after trimming.",
    },
  ),
};

@Entity({ tableName: "products" })
@ReadableWith(Permission.READ_PRODUCTS)
@ObjectType({ description: "A product of the shop, with one or more variants.", simpleResolvers: true })
export class Product extends rowOf(DescribedRow, {
  ...storedFields(productFields),
  version: field(Int, "The version. Increases with every change to the product, its variants and their stock."),
  createdAt: field(TimestampScalar, "When it was created."),
  createdBy: nullable(ID, "The ID of the staff member, service or API key that created it."),
  updatedAt: field(TimestampScalar, "When the product, a variant or its stock last changed."),
}) {
  [OptionalProps]?: "optionNames" | "version" | "editedVersion";

  /** The words that a search finds. */
  @Property({ type: Words, lazy: true })
  searchWords!: string;

  /** Changes of stock, such as sales, are not edits. */
  @Property({ type: "integer", default: 1 })
  editedVersion!: number;

  /** Not mapped: read with the product if selected. */
  @Field(() => [Variant], { description: "The variants, in display order. At least one." })
  variants?: Variant[];
}

/** One-line text that other systems compare as a whole. */
const identifier = text({ max: 64, trim: true })
  .refine((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), {
    error: "Must not contain control characters or line breaks",
    params: { code: "invalid_text" },
  })
  .meta({ description: "Trimmed, without control characters or line breaks." })
  .default("");

const IDENTIFIER = "At most 64 characters after trimming, without control characters or line breaks.";

export const variantFields = {
  optionValues: editable(
    [String],
    z
      .array(text({ min: 1, max: 100, trim: true }))
      .max(MAX_OPTIONS)
      .default([]),
    {
      description: "A value for each of the product's options, in the same order.",
      limits:
        "A value for each of the product's options, in the same order. 1 to 100 characters each, after trimming. The values must differ from those of other variants. Case is ignored, accents are not.",
    },
  ),
  // The shop's currency limits it.
  price: editable(DecimalScalar, z.string(), {
    description: "The price of one unit, in the shop's currency.",
    limits:
      "The price of one unit. At least 0, with at most 12 digits before the decimal point, at most 15 digits in total, and no more decimals than the shop's currency.",
  }),
  sku: editable(String, identifier, {
    description: "The SKU (stock keeping unit). Empty if there is none.",
    limits: IDENTIFIER,
  }),
  barcode: editable(String, identifier, {
    description: "The barcode, such as an EAN or UPC. Empty if there is none.",
    limits: `The barcode, such as an EAN or UPC. ${IDENTIFIER}`,
  }),
  inventoryQuantity: editable(Int, z.int().min(0).max(MAX_QUANTITY).default(0), {
    description: "The number of units available to sell. 0 if stock is not tracked.",
    limits: "The number of units in stock, 0 to 1000000000.",
  }),
  isStockTracked: editable(Boolean, z.boolean().default(true), {
    description: "Whether its stock is counted. If not, it is always for sale, and its stock is 0.",
    limits: "Whether its stock is counted. If not, as for services and made to order, it is always for sale.",
    changing: "False sets the stock to 0.",
  }),
};

@Entity({ tableName: "variants" })
@ObjectType({ description: "A variant of a product, with its own price and stock.", simpleResolvers: true })
export class Variant extends rowOf(DescribedRow, {
  ...storedFields(variantFields),
  title: field(String, 'The title. "Default Title" if the product has no options.'),
  createdAt: field(TimestampScalar, "When it was created."),
  updatedAt: field(TimestampScalar, "When the variant or its stock last changed."),
}) {
  [OptionalProps]?: "optionValues" | "productId" | "isStockTracked";

  @ManyToOne(() => Product, { ...shopReference("product_id"), hidden: true })
  product!: Product;

  /** Not mapped: `product` has the column. */
  @Field(() => ID, { description: "The ID of the product." })
  productId!: string;

  @Property({ type: "integer" })
  position!: number;
}

@ObjectType({ description: "A page of products.", simpleResolvers: true })
export class ProductPage extends pageOf(Product) {}

/** Refuses names that differ in case alone. */
function refuseRepeated(names: readonly string[], context: z.RefinementCtx): void {
  const folded = names.map((name) => foldCase(name));
  for (const [index, name] of folded.entries()) {
    if (folded.indexOf(name) === index) continue;
    context.addIssue({
      code: "custom",
      path: [index],
      message: "Must be given only once",
      params: { code: "repeated" },
    });
  }
}
