import { Field, ID, InputType, Int } from "type-graphql";
import { EXPECTED_VERSION, IDEMPOTENCY_KEY } from "../schema/operation-arguments.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { ProductStatus } from "../model/products/product.enums.ts";

const PRICE =
  "The price of one unit. At least 0, with at most 12 digits before the decimal point, at most 15 digits in total, and no more decimals than the shop's currency.";
const SKU = "At most 64 characters after trimming, without control characters or line breaks.";
const OPTION_VALUES =
  "A value for each of the product's options, in the same order. 1 to 100 characters each, after trimming. The values must differ from those of other variants. Case is ignored, accents are not.";

@InputType({ description: "A new variant." })
export class NewVariantInput {
  @Field(() => [String], { defaultValue: [], description: OPTION_VALUES })
  optionValues!: string[];

  @Field(() => DecimalScalar, { description: PRICE })
  price!: string;

  @Field(() => String, { defaultValue: "", description: SKU })
  sku!: string;

  @Field(() => String, { defaultValue: "", description: `The barcode, such as an EAN or UPC. ${SKU}` })
  barcode!: string;

  @Field(() => Int, { defaultValue: 0, description: "The number of units in stock, 0 to 1000000000." })
  inventoryQuantity!: number;
}

@InputType({ description: "A new product with its variants." })
export class CreateProductInput {
  @Field(() => String, { description: "1 to 255 characters after trimming." })
  title!: string;

  @Field(() => String, { nullable: true, description: "At most 20000 characters." })
  description?: string | null;

  @Field(() => ProductStatus, { defaultValue: ProductStatus.ACTIVE, description: "The status of the product." })
  status!: ProductStatus;

  @Field(() => [String], {
    defaultValue: [],
    description:
      "The names of the options, such as Size and Color. At most 3, all different, of 1 to 50 characters after trimming.",
  })
  optionNames!: string[];

  @Field(() => [NewVariantInput], {
    description: "The variants, 1 to 100, in display order. Exactly one if the product has no options.",
  })
  variants!: NewVariantInput[];
}

@InputType({ description: "A product to create in bulk." })
export class BulkCreateProductInput extends CreateProductInput {
  @Field(() => String, IDEMPOTENCY_KEY)
  idempotencyKey?: string | null;
}

@InputType({ description: "Changes to a product. Omitted fields are left unchanged." })
export class UpdateProductInput {
  @Field(() => String, { nullable: true, description: "1 to 255 characters after trimming." })
  title?: string | null;

  @Field(() => String, { nullable: true, description: "At most 20000 characters. Null clears it." })
  description?: string | null;

  @Field(() => ProductStatus, { nullable: true, description: "The status of the product." })
  status?: ProductStatus | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The product's name in URLs, unique in the shop. 1 to 200 lowercase letters of any script, digits, and hyphens between them.",
  })
  handle?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: "New names for the options. The number of options cannot change.",
  })
  optionNames?: string[] | null;
}

@InputType({ description: "Changes to a product in bulk. Omitted fields are left unchanged." })
export class BulkUpdateProductInput extends UpdateProductInput {
  @Field(() => ID, { description: "The product." })
  id!: string;

  @Field(() => Int, EXPECTED_VERSION)
  expectedVersion?: number | null;
}

@InputType({ description: "Changes to a variant. Omitted fields are left unchanged." })
export class UpdateVariantInput {
  @Field(() => [String], { nullable: true, description: OPTION_VALUES })
  optionValues?: string[] | null;

  @Field(() => DecimalScalar, { nullable: true, description: PRICE })
  price?: string | null;

  @Field(() => String, { nullable: true, description: SKU })
  sku?: string | null;

  @Field(() => String, { nullable: true, description: `The barcode, such as an EAN or UPC. ${SKU}` })
  barcode?: string | null;
}
