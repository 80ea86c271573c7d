import { registerEnumType } from "type-graphql";

export enum ProductStatus {
  ACTIVE = "ACTIVE",
  DRAFT = "DRAFT",
  ARCHIVED = "ARCHIVED",
}

/** The columns that lists of products can be sorted by. */
export enum ProductSort {
  CREATED_AT = "created_at",
  UPDATED_AT = "updated_at",
  TITLE = "title",
}

registerEnumType(ProductStatus, {
  name: "ProductStatus",
  description: "The status of a product, which says if it is offered for sale.",
  valuesConfig: {
    ACTIVE: { description: "Offered for sale." },
    DRAFT: { description: "Not offered yet." },
    ARCHIVED: { description: "Not offered any more." },
  },
});

registerEnumType(ProductSort, {
  name: "ProductSort",
  description: "What products are sorted by; of equal ones, by their id.",
  valuesConfig: {
    CREATED_AT: { description: "When they were created." },
    UPDATED_AT: { description: "When they or their stock changed last." },
    TITLE: { description: "Their title, as the database's language orders letters." },
  },
});
