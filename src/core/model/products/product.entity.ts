import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { TextArray, Words } from "../../../platform/postgres/types.ts";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { ProductStatus } from "./product.enums.ts";
import { shopReference, ShopRow } from "../shop-row.ts";
import { Column } from "../column.ts";

@Entity({ tableName: "products" })
@ReadableWith(Permission.READ_PRODUCTS)
@ObjectType({ description: "A product of the shop, with one or more variants.", simpleResolvers: true })
export class Product extends ShopRow {
  [OptionalProps]?: "optionNames" | "version" | "editedVersion";

  @Column(() => String, { description: "The title, 1 to 255 characters." })
  title!: string;

  @Column(() => String, { description: "The product's name in URLs, unique in the shop." })
  handle!: string;

  @Column(() => String, { nullable: true, description: "The description for customers.", complexity: 20 })
  description!: string | null;

  @Column(() => ProductStatus, { description: "The status of the product." })
  status!: ProductStatus;

  @Property({ type: TextArray })
  @Field(() => [String], {
    description:
      "The names of the options, such as Size and Color. At most three. Empty if the product has no options.",
  })
  optionNames!: string[];

  /** The words that a search finds. */
  @Property({ type: Words, lazy: true })
  searchWords!: string;

  @Column(() => Int, {
    description: "The version. Increases with every change to the product, its variants and their stock.",
  })
  version!: number;

  /** Changes of stock, such as sales, are not edits. */
  @Property({ type: "integer", default: 1 })
  editedVersion!: number;

  @Column(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;

  @Column(() => ID, { nullable: true, description: "The ID of the staff member, service or API key that created it." })
  createdBy!: string | null;

  @Column(() => TimestampScalar, { description: "When the product, a variant or its stock last changed." })
  updatedAt!: Date;

  /** Not mapped: read with the product if selected. */
  @Field(() => [Variant], { description: "The variants, in display order. At least one." })
  variants?: Variant[];
}

@Entity({ tableName: "variants" })
@ObjectType({ description: "A variant of a product, with its own price and stock.", simpleResolvers: true })
export class Variant extends ShopRow {
  [OptionalProps]?: "optionValues" | "productId";

  @ManyToOne(() => Product, { ...shopReference("product_id"), hidden: true })
  product!: Product;

  /** Not mapped: `product` has the column. */
  @Field(() => ID, { description: "The ID of the product." })
  productId!: string;

  @Property({ type: "integer" })
  position!: number;

  @Column(() => String, { description: 'The title. "Default Title" if the product has no options.' })
  title!: string;

  @Property({ type: TextArray })
  @Field(() => [String], { description: "A value for each of the product's options, in the same order." })
  optionValues!: string[];

  @Column(() => String, { description: "The SKU (stock keeping unit). Empty if there is none." })
  sku!: string;

  @Column(() => String, { description: "The barcode, such as an EAN or UPC. Empty if there is none." })
  barcode!: string;

  @Column(() => DecimalScalar, { description: "The price of one unit, in the shop's currency." })
  price!: string;

  @Column(() => Int, { description: "The number of units available to sell." })
  inventoryQuantity!: number;

  @Column(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;

  @Column(() => TimestampScalar, { description: "When the variant or its stock last changed." })
  updatedAt!: Date;
}

@ObjectType({ description: "A page of products.", simpleResolvers: true })
export class ProductPage extends pageOf(Product) {}
