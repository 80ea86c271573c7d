import { newId } from "../../model/ids.ts";
import type { Operation } from "../../access/operation.ts";
import { variantTitle } from "./options.ts";
import type { Variant } from "../../model/products/product.entity.ts";
import { StockChange, StockReason } from "../../model/products/stock-change.entity.ts";

export interface NewVariantFields {
  optionValues: string[];
  price: string;
  sku: string;
  barcode: string;
  inventoryQuantity: number;
}

/** A variant that is not stored yet. */
export type NewVariant = Omit<Variant, "product" | "createdAt" | "updatedAt">;

export function newVariant(
  product: { shopId: string; id: string },
  position: number,
  fields: NewVariantFields,
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

/** Records the initial stock of a new variant in the stock history. */
export async function recordInitialStock({ em, actor }: Operation, variant: NewVariant, at: Date): Promise<void> {
  if (variant.inventoryQuantity === 0) return;
  await em.insert(StockChange, {
    shopId: variant.shopId,
    id: newId("stk"),
    productId: variant.productId,
    variantId: variant.id,
    orderId: null,
    reason: StockReason.INITIAL,
    note: null,
    delta: variant.inventoryQuantity,
    quantityAfter: variant.inventoryQuantity,
    actorId: actor.id,
    createdAt: at,
  });
}
