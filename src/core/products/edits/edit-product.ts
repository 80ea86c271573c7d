import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { checkVersion } from "../../validation/expected-version.ts";
import { Product, Variant } from "../../model/products/product.entity.ts";
import { recordProductUpdated, type ProductUpdate } from "./product-update.ts";
import { searchText } from "../search-text.ts";

/** A product whose row this transaction has locked, so that nobody else changes it or its variants. */
export interface LockedProduct {
  em: EntityManager;
  product: Product;
  /** In their order. */
  variants: Variant[];
  /** The moment of the change. */
  at: Date;
}

/** Changes what is open, and says what about it is something else than before: null when nothing is. */
type Edit = (open: LockedProduct) => AuditDetails | null | Promise<AuditDetails | null>;

export interface ProductToEdit {
  productId: string;
  /** The version that the caller has seen; any when absent. */
  expectedVersion?: number | null;
}

/**
 * One edit of a product or its variants, in a transaction, which records `product.updated` when something changed.
 *
 * @throws AppError NOT_FOUND, VERSION_CONFLICT, and what `edit` throws
 */
export async function editProduct(operation: Operation, target: ProductToEdit, edit: Edit): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const update = await applyEdit(inside, target, edit);
    if (update) await recordProductUpdated(inside, update);
  });
}

/**
 * One edit of a product or its variants, in the transaction of the caller, who records what is returned. When `edit`
 * says that something changed, the version goes up, and what search looks into is written anew from the variants that
 * `edit` left in the list.
 *
 * @throws AppError NOT_FOUND, VERSION_CONFLICT, and what `edit` throws
 */
export async function applyEdit(
  operation: Operation,
  { productId, expectedVersion }: ProductToEdit,
  edit: Edit,
): Promise<ProductUpdate | null> {
  const { em, shop } = operation;
  const product = await lockProduct(operation, productId);
  if (!product) throw new AppError("NOT_FOUND", "Product not found");
  checkVersion(product, expectedVersion);
  const variants = await em.find(
    Variant,
    { shopId: shop.id, product: [shop.id, productId] },
    { orderBy: { position: "asc" } },
  );
  const at = await databaseTime(em);
  const details = await edit({ em, product, variants, at });
  if (!details) return null;
  product.version += 1;
  product.editedVersion = product.version;
  product.updatedAt = at;
  product.searchText = searchText(product, variants);
  await em.flush();
  const target = { id: productId, name: product.title };
  await recordAudit(operation, { action: AuditAction.PRODUCT_UPDATED, target, details, at });
  return { productId, handle: product.handle, version: product.version, at };
}

/** The product, which nobody else changes or deletes until the transaction ends. */
export async function lockProduct({ em, shop }: Operation, id: string): Promise<Product | null> {
  return isId(id) ? em.findOne(Product, { shopId: shop.id, id }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
}
