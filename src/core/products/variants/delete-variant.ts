import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import { AppError } from "../../model/errors.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { editVariant } from "./edit-variant.ts";

/**
 * Deletes a variant, and records `product.updated`. Orders and the history of stock keep what they say of it.
 * Returns the product's id.
 *
 * @throws AppError NOT_FOUND; VERSION_CONFLICT for the product's version; INVALID_STATE for the last variant
 */
export async function deleteVariant(
  em: EntityManager,
  shop: Shop,
  author: Author,
  id: string,
  expectedVersion?: number | null,
): Promise<string> {
  return editVariant(em, { shopId: shop.id, author, variantId: id, expectedVersion }, (variant, open) => {
    if (open.variants.length === 1) {
      throw new AppError("INVALID_STATE", "A product must have at least one variant", {
        hint: "Delete the product instead.",
      });
    }
    open.variants.splice(open.variants.indexOf(variant), 1);
    open.em.remove(variant);
    return { deletedVariantId: id };
  });
}
