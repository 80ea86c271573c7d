import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { databaseTime } from "../database-time.ts";
import { checkVersion } from "../versions.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import { Product, Variant } from "./product.entity.ts";
import { searchText } from "./search-text.ts";

/** A product whose row this transaction has locked, so that nobody else changes it or its variants. */
export interface OpenProduct {
  em: EntityManager;
  product: Product;
  /** In their order. */
  variants: Variant[];
  /** When the change happens. */
  at: Date;
}

export interface ProductToEdit {
  shopId: string;
  productId: string;
  /** The version that the caller has seen; any when absent. */
  expectedVersion?: number | null;
}

/**
 * One edit of a product or its variants, in a transaction. When `edit` says that something changed, the version
 * goes up, what search looks into is written anew from the variants that `edit` left in the list, and
 * `product.updated` is recorded.
 *
 * @throws AppError NOT_FOUND, VERSION_CONFLICT, and what `edit` throws
 */
export async function editProduct(
  em: EntityManager,
  { shopId, productId, expectedVersion }: ProductToEdit,
  edit: (open: OpenProduct) => boolean | Promise<boolean>,
): Promise<void> {
  await em.transactional(async (transaction) => {
    const product = await lockProduct(transaction, shopId, productId);
    if (!product) throw new AppError("NOT_FOUND", "Product not found");
    checkVersion(product, expectedVersion);
    const variants = await transaction.find(
      Variant,
      { shopId, product: [shopId, productId] },
      { orderBy: { position: "asc" } },
    );
    const at = await databaseTime(transaction);
    if (!(await edit({ em: transaction, product, variants, at }))) return;
    product.version += 1;
    product.updatedAt = at;
    product.searchText = searchText(product, variants);
    const data = { productId, handle: product.handle };
    await recordEvent(transaction, { shopId, topic: "product.updated", data, createdAt: at });
  });
}

/** The product, which nobody else changes or deletes until the transaction ends. */
export async function lockProduct(em: EntityManager, shopId: string, id: string): Promise<Product | null> {
  return isId(id) ? em.findOne(Product, { shopId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
}
