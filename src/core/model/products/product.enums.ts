import { enumType, lowercaseEnum, type ValueOf } from "../enum-type.ts";

export const ProductStatus = enumType("ProductStatus", "The status of a product. Only active products are for sale.", {
  ACTIVE: "For sale.",
  DRAFT: "Not for sale yet.",
  ARCHIVED: "No longer for sale.",
});
export type ProductStatus = keyof typeof ProductStatus;

/** The columns that lists of products can be sorted by. */
export const ProductSort = lowercaseEnum(
  "ProductSort",
  "The field to sort products by. Products with equal values are sorted by ID.",
  {
    CREATED_AT: "The time of creation.",
    UPDATED_AT: "The time of the last change to the product or its stock.",
    TITLE: "The title, in the alphabetical order of the database's language.",
  },
);
export type ProductSort = ValueOf<typeof ProductSort>;
