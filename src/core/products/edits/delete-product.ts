import { inTransaction, type Operation } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { checkVersion } from "../../validation/expected-version.ts";
import { recordEvent } from "../../webhooks/events/record-event.sql.ts";
import { lockProduct } from "./edit-product.ts";
import { Product } from "../../model/products/product.entity.ts";

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
    await recordEvent(em, { shopId: shop.id, topic: "product.deleted", data, createdAt: at });
    const target = { id, name: product.title };
    // The deleted product's row named its creator.
    const details: AuditDetails = product.createdBy === null ? {} : { createdBy: product.createdBy };
    await recordAudit(inside, { action: AuditAction.PRODUCT_DELETED, target, details, at });
    return true;
  });
}
