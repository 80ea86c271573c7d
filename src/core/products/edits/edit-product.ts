import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { checkVersion } from "../../validation/changes.ts";
import { Product, Variant } from "../../model/products/product.entity.ts";
import type { ChangedField } from "../../model/webhooks/topics.ts";
import { productSearchWords } from "../search-words.ts";
import { recordEvent } from "../../webhooks/events/record-event.sql.ts";

/** A product that this transaction has locked: nobody else can change it or its variants. */
export interface LockedProduct {
  em: EntityManager;
  product: Product;
  /** In display order. */
  variants: Variant[];
  /** The time of the change. */
  at: Date;
}

/** The fields of a product that an update changed. */
export type ChangedProductField = ChangedField<"product.updated">;

/** The changed fields, and the details for the audit log. */
export interface AppliedEdit {
  changed: readonly ChangedProductField[];
  details: AuditDetails;
}

/** Changes the product. Returns null if nothing changed. */
export type Edit = (open: LockedProduct) => AppliedEdit | null | Promise<AppliedEdit | null>;

export interface ProductToEdit {
  productId: string;
  /** The version that the caller last read. Any version if omitted. */
  expectedVersion?: number | null;
}

/**
 * Edits a product or its variants in a transaction. Records `product.updated` if something changed.
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
 * Edits a product or its variants inside the given transaction, and returns the update to record. If `edit` changed
 * something, it raises the version and rebuilds the search words from the remaining variants.
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
  const applied = await edit({ em, product, variants, at });
  if (!applied) return null;
  const { changed, details } = applied;
  product.version += 1;
  product.editedVersion = product.version;
  product.updatedAt = at;
  product.searchWords = productSearchWords(product, variants);
  await em.flush();
  const target = { id: productId, name: product.title };
  await recordAudit(operation, { action: AuditAction.PRODUCT_UPDATED, target, details, at });
  return { productId, handle: product.handle, version: product.version, changed, at };
}

/** Locks a product until the transaction ends. */
export async function lockProduct({ em, shop }: Operation, id: string): Promise<Product | null> {
  return isId(id) ? em.findOne(Product, { shopId: shop.id, id }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
}

/** A changed product, as `product.updated` shows it. */
export interface ProductUpdate {
  productId: string;
  handle: string;
  /** The product's version after the change. */
  version: number;
  changed: readonly ChangedProductField[];
  at: Date;
}

export async function recordProductUpdated(operation: Operation, update: ProductUpdate): Promise<void> {
  const { at, changed, ...data } = update;
  await recordEvent(operation, { topic: "product.updated", data, changed, createdAt: at });
}

/**
 * Deletes a product with its variants and records `product.deleted`. Orders and the stock history stay. Returns false
 * when the product does not exist.
 *
 * @throws AppError VERSION_CONFLICT
 */
export async function deleteProduct(
  operation: Operation,
  id: string,
  expectedVersion?: number | null,
): Promise<boolean> {
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const product = await lockProduct(inside, id);
    if (!product) return false;
    checkVersion(product, expectedVersion);
    await em.nativeDelete(Product, { shopId: shop.id, id });
    // The highest version, because this is the product's last event.
    const data = { productId: id, handle: product.handle, version: product.version + 1 };
    const at = await databaseTime(em);
    await recordEvent(inside, { topic: "product.deleted", data, createdAt: at });
    const target = { id, name: product.title };
    // The deleted product's row named its creator.
    const details: AuditDetails = product.createdBy === null ? {} : { createdBy: product.createdBy };
    await recordAudit(inside, { action: AuditAction.PRODUCT_DELETED, target, details, at });
    return true;
  });
}
