import { registerEnumType } from "type-graphql";
import { enumType } from "../enum-type.ts";

export const ProductStatus = enumType("ProductStatus", "The status of a product. Only active products are for sale.", {
  ACTIVE: "For sale.",
  DRAFT: "Not for sale yet.",
  ARCHIVED: "No longer for sale.",
});
export type ProductStatus = keyof typeof ProductStatus;

/** The columns that lists of products can be sorted by. */
export enum ProductSort {
  CREATED_AT = "created_at",
  UPDATED_AT = "updated_at",
  TITLE = "title",
}

registerEnumType(ProductSort, {
  name: "ProductSort",
  description: "The field to sort products by. Products with equal values are sorted by ID.",
  valuesConfig: {
    CREATED_AT: { description: "The time of creation." },
    UPDATED_AT: { description: "The time of the last change to the product or its stock." },
    TITLE: { description: "The title, in the alphabetical order of the database's language." },
  },
});
