import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { pageOf } from "../pagination.ts";
import { TimestampScalar } from "../scalars.ts";

export enum ProductStatus {
  ACTIVE = "ACTIVE",
  DRAFT = "DRAFT",
  ARCHIVED = "ARCHIVED",
}

registerEnumType(ProductStatus, { name: "ProductStatus", description: "Whether a product is offered for sale." });

@Entity({ tableName: "products" })
@ObjectType({ description: "Something the shop sells, in one or more variants.", simpleResolvers: true })
export class Product {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID)
  id!: string;

  @Property({ type: "text" })
  @Field(() => String)
  title!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "URL-style slug, unique in the shop." })
  handle!: string;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true })
  description!: string | null;

  @Property({ type: "text" })
  @Field(() => ProductStatus)
  status!: ProductStatus;

  @Property({ type: "text", lazy: true })
  searchText!: string;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar)
  updatedAt!: Date;
}

@ObjectType({ description: "A page of products.", simpleResolvers: true })
export class ProductPage extends pageOf(Product) {}
