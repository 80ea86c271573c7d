import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { checkVersion } from "../../validation/expected-version.ts";
import { recordEvent } from "../../webhooks/events/record-event.sql.ts";
import { lockProduct } from "./edit-product.ts";
import { Product } from "../../model/products/product.entity.ts";

/**
 * Deletes a product with its variants, and records `product.deleted`. Orders and the history of stock keep what
 * they say of it. False when there is none.
 *
 * @throws AppError VERSION_CONFLICT
 */
export async function deleteProduct(
  em: EntityManager,
  shop: Shop,
  author: Author,
  id: string,
  expectedVersion?: number | null,
): Promise<boolean> {
  return em.transactional(async (transaction) => {
    const product = await lockProduct(transaction, shop.id, id);
    if (!product) return false;
    checkVersion(product, expectedVersion);
    await transaction.nativeDelete(Product, { shopId: shop.id, id });
    // After every version that there was: nobody hears of the product again.
    const data = { productId: id, handle: product.handle, version: product.version + 1 };
    const at = await databaseTime(transaction);
    await recordEvent(transaction, { shopId: shop.id, topic: "product.deleted", data, createdAt: at });
    const target = { id, name: product.title };
    // Nothing else tells of it from now on.
    const details: AuditDetails = product.createdBy === null ? {} : { createdBy: product.createdBy };
    await recordAudit(transaction, shop.id, author, { action: AuditAction.PRODUCT_DELETED, target, details, at });
    return true;
  });
}
