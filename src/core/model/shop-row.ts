import { PrimaryKeyProp } from "@mikro-orm/core";
import { PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { MetadataEntry, type Metadata } from "./metadata.entity.ts";

/** A row of a shop. The shop is the first part of its key. */
export abstract class OwnedRow {
  @PrimaryKey({ type: "text" })
  shopId!: string;
}

/** A row of a shop with an ID. */
@ObjectType({ simpleResolvers: true })
export abstract class ShopRow extends OwnedRow {
  [PrimaryKeyProp]?: ["shopId", "id"];

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The unique ID. Its prefix names the type. Newer records sort after older ones." })
  id!: string;
}

/** A record that other systems describe, too. */
@ObjectType({ simpleResolvers: true })
export abstract class DescribedRow extends ShopRow {
  /** Not mapped: read with the record if selected. */
  @Field(() => [MetadataEntry], { description: "Keys with values of the merchant's own, sorted by key." })
  metadata?: Metadata[];
}

/** Refers to another row of the same shop by its id in a column. */
export const shopReference = (column: string) => ({
  joinColumns: ["shop_id", column],
  referencedColumnNames: ["shop_id", "id"],
});
