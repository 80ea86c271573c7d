import type { z } from "zod";
import { newId } from "../model/ids.ts";
import { variantTitle } from "./options.ts";
import type { ProductSchemas } from "./product.inputs.ts";
import type { Variant } from "../model/products/product.entity.ts";

/** A variant that is not stored yet. */
export type NewVariant = Omit<Variant, "product" | "createdAt" | "updatedAt">;

export function newVariant(
  product: { shopId: string; id: string },
  position: number,
  fields: z.output<ProductSchemas["newVariant"]>,
): NewVariant {
  return {
    shopId: product.shopId,
    id: newId("var"),
    productId: product.id,
    position,
    title: variantTitle(fields.optionValues),
    ...fields,
  };
}
