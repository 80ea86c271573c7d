import { ArgsType, Field, ID, InputType, Int } from "type-graphql";
import { PageArgs } from "../model/page.ts";
import { EXPECTED_VERSION, IDEMPOTENCY_KEY } from "../schema/operation-arguments.ts";
import { DecimalScalar, TimestampScalar } from "../model/scalars.ts";
import { ProductSort, ProductStatus } from "../model/products/product.enums.ts";

const PRICE =
  "At least 0, with at most 12 digits before the decimal point, 15 digits in all, and no more decimals than the shop's currency has.";
const SKU = "At most 64 characters after trimming, without control characters and line breaks.";
const OPTION_VALUES =
  "A value for each of the product's options, in their order: 1 to 100 characters each, after trimming. No other variant has all of them in any case. Accents count.";

@InputType({ description: "A new variant." })
export class NewVariantInput {
  @Field(() => [String], { defaultValue: [], description: OPTION_VALUES })
  optionValues!: string[];

  @Field(() => DecimalScalar, { description: PRICE })
  price!: string;

  @Field(() => String, { defaultValue: "", description: SKU })
  sku!: string;

  @Field(() => String, { defaultValue: "", description: `EAN, UPC or the like. ${SKU}` })
  barcode!: string;

  @Field(() => Int, { defaultValue: 0, description: "0 to 1000000000 units." })
  inventoryQuantity!: number;
}

@InputType({ description: "A new product with its variants." })
export class CreateProductInput {
  @Field(() => String, { description: "1 to 255 characters after trimming." })
  title!: string;

  @Field(() => String, { nullable: true, description: "At most 20000 characters." })
  description?: string | null;

  @Field(() => ProductStatus, {
    defaultValue: ProductStatus.ACTIVE,
    description: "The status, which says if it is offered for sale.",
  })
  status!: ProductStatus;

  @Field(() => [String], {
    defaultValue: [],
    description:
      "What the variants differ in, such as Size and Colour: at most 3, each different, of 1 to 50 characters after trimming.",
  })
  optionNames!: string[];

  @Field(() => [NewVariantInput], { description: "1 to 100, in their order. Without options, one." })
  variants!: NewVariantInput[];
}

@InputType({ description: "A new product, one of several." })
export class BulkCreateProductInput extends CreateProductInput {
  @Field(() => String, IDEMPOTENCY_KEY)
  idempotencyKey?: string | null;
}

@InputType({ description: "Changes to a product. Omitted fields stay as they are." })
export class UpdateProductInput {
  @Field(() => String, { nullable: true, description: "1 to 255 characters after trimming." })
  title?: string | null;

  @Field(() => String, { nullable: true, description: "At most 20000 characters. Null clears it." })
  description?: string | null;

  @Field(() => ProductStatus, { nullable: true, description: "The status, which says if it is offered for sale." })
  status?: ProductStatus | null;

  @Field(() => String, {
    nullable: true,
    description: "1 to 200 lower-case letters of any script, digits, and hyphens between them. Unique in the shop.",
  })
  handle?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: "Other names for the options that there are; as many as now.",
  })
  optionNames?: string[] | null;
}

@InputType({ description: "Changes to one of several products. Omitted fields stay as they are." })
export class BulkUpdateProductInput extends UpdateProductInput {
  @Field(() => ID, { description: "The product." })
  id!: string;

  @Field(() => Int, EXPECTED_VERSION)
  expectedVersion?: number | null;
}

@InputType({ description: "Changes to a variant. Omitted fields stay as they are." })
export class UpdateVariantInput {
  @Field(() => [String], { nullable: true, description: OPTION_VALUES })
  optionValues?: string[] | null;

  @Field(() => DecimalScalar, { nullable: true, description: PRICE })
  price?: string | null;

  @Field(() => String, { nullable: true, description: SKU })
  sku?: string | null;

  @Field(() => String, { nullable: true, description: `EAN, UPC or the like. ${SKU}` })
  barcode?: string | null;
}

@ArgsType()
export class ListProductsArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description:
      "Words that must all occur in the title, the handle, or a variant's sku or barcode, whatever their case and accents. " +
      "Barcodes are found with or without spaces, hyphens and leading zeros. At most 200 characters.",
  })
  search?: string | null;

  @Field(() => ProductStatus, { nullable: true, description: "Only products of this status." })
  status?: ProductStatus | null;

  @Field(() => String, { nullable: true, description: "Only the product with this handle." })
  handle?: string | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only products created then or later." })
  createdSince?: Date | null;

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "Only products that changed then or later, in themselves or in their stock.",
  })
  updatedSince?: Date | null;

  @Field(() => ProductSort, {
    defaultValue: ProductSort.CREATED_AT,
    description: "The field that the list is sorted by.",
  })
  sort!: ProductSort;
}
