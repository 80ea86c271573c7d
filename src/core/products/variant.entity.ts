import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { Product } from "./product.entity.ts";

@Entity({ tableName: "variants" })
@ObjectType({ description: "One sellable form of a product, with its own price and stock.", simpleResolvers: true })
export class Variant {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID)
  id!: string;

  @ManyToOne(() => Product, {
    joinColumns: ["shop_id", "product_id"],
    referencedColumnNames: ["shop_id", "id"],
    hidden: true,
  })
  product!: Product;

  @Property({ type: "integer" })
  position!: number;

  @Property({ type: "text" })
  @Field(() => String, { description: '"Default Title" when the product has no options.' })
  title!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "Stock keeping unit; empty when there is none." })
  sku!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "EAN, UPC or the like; empty when there is none." })
  barcode!: string;

  @Property({ type: "decimal", runtimeType: "string" })
  @Field(() => DecimalScalar, { description: "Price of one unit, in the shop's currency." })
  price!: string;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "Units in stock." })
  inventoryQuantity!: number;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  updatedAt!: Date;
}
