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
export type NewVariant = Omit<Variant, "product">;

export function newVariant(
  product: { shopId: string; id: string },
  position: number,
  fields: NewVariantFields,
  at: Date,
): NewVariant {
  return {
    shopId: product.shopId,
    id: newId("var"),
    productId: product.id,
    position,
    title: variantTitle(fields.optionValues),
    ...fields,
    createdAt: at,
    updatedAt: at,
  };
}

/** Records the initial stock of new variants in the stock history. */
export async function recordInitialStock({ em, actor }: Operation, variants: readonly NewVariant[]): Promise<void> {
  const stocked = variants.filter(({ inventoryQuantity }) => inventoryQuantity > 0);
  if (stocked.length === 0) return;
  await em.insertMany(
    StockChange,
    stocked.map((variant) => ({
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
      createdAt: variant.createdAt,
    })),
  );
}
