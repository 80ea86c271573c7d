import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { TextArray } from "../../../platform/postgres/text-array.ts";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { ProductStatus } from "./product.enums.ts";
import { ShopRow } from "../shop-row.ts";

@Entity({ tableName: "products" })
@ReadableWith(Permission.READ_PRODUCTS)
@ObjectType({ description: "A product of the shop, with one or more variants.", simpleResolvers: true })
export class Product extends ShopRow {
  [OptionalProps]?: "optionNames" | "version" | "editedVersion";

  @Property({ type: "text" })
  @Field(() => String, { description: "The title, 1 to 255 characters." })
  title!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The product's name in URLs, unique in the shop." })
  handle!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The description for customers.", complexity: 20 })
  description!: string | null;

  @Property({ type: "text" })
  @Field(() => ProductStatus, { description: "The status of the product." })
  status!: ProductStatus;

  @Property({ type: TextArray })
  @Field(() => [String], {
    description:
      "The names of the options, such as Size and Colour. At most three. Empty if the product has no options.",
  })
  optionNames!: string[];

  @Property({ type: "text", lazy: true })
  searchText!: string;

  @Property({ type: "integer" })
  @Field(() => Int, {
    description: "The version. Increases with every change to the product, its variants and their stock.",
  })
  version!: number;

  /** Changes of stock, such as sales, are not edits. */
  @Property({ type: "integer", default: 1 })
  editedVersion!: number;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The ID of the staff member, service or API key that created it." })
  createdBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the product, a variant or its stock last changed." })
  updatedAt!: Date;

  /** Not mapped: read with the product if selected. */
  @Field(() => [Variant], { description: "The variants, in display order. At least one." })
  variants?: Variant[];
}

@Entity({ tableName: "variants" })
@ObjectType({ description: "A variant of a product, with its own price and stock.", simpleResolvers: true })
export class Variant extends ShopRow {
  [OptionalProps]?: "optionValues" | "productId";

  @ManyToOne(() => Product, {
    joinColumns: ["shop_id", "product_id"],
    referencedColumnNames: ["shop_id", "id"],
    hidden: true,
  })
  product!: Product;

  /** Not mapped: `product` has the column. */
  @Field(() => ID, { description: "The ID of the product." })
  productId!: string;

  @Property({ type: "integer" })
  position!: number;

  @Property({ type: "text" })
  @Field(() => String, { description: 'The title. "Default Title" if the product has no options.' })
  title!: string;

  @Property({ type: TextArray })
  @Field(() => [String], { description: "A value for each of the product's options, in the same order." })
  optionValues!: string[];

  @Property({ type: "text" })
  @Field(() => String, { description: "The SKU (stock keeping unit). Empty if there is none." })
  sku!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The barcode, such as an EAN or UPC. Empty if there is none." })
  barcode!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "The price of one unit, in the shop's currency." })
  price!: string;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "The number of units available to sell." })
  inventoryQuantity!: number;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the variant or its stock last changed." })
  updatedAt!: Date;
}

@ObjectType({ description: "A page of products.", simpleResolvers: true })
export class ProductPage extends pageOf(Product) {}
