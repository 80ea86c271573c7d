import type { EntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import { newId } from "../model/ids.ts";
import { inTransaction, type Operation } from "../access/operation.ts";
import { statementTime } from "../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput } from "../validation/input.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { handlesFor } from "./handle.ts";
import { newVariant, recordInitialStock, type NewVariant } from "./variants/new-variant.ts";
import { Product, Variant } from "../model/products/product.entity.ts";
import { productSchemas, type ProductSchemas } from "./product-schemas.ts";
import { productSearchWords } from "./search-words.ts";

export type CreateProductRequest = z.input<ProductSchemas["createProduct"]>;

/** A product with its initial variants. */
export interface CreatedProduct extends Omit<Product, "searchWords" | "editedVersion" | "variants"> {
  variants: NewVariant[];
}

/**
 * Creates a product with its variants and records `product.created`, in one transaction.
 *
 * @throws AppError VALIDATION_FAILED; CONFLICT while the same idempotency key is in use
 */
export async function createProduct(
  operation: Operation,
  request: CreateProductRequest,
  claim?: IdempotencyClaim,
): Promise<CreatedProduct> {
  const input = parseInput(productSchemas(operation.shop).createProduct, request);
  const once = { shopId: operation.shop.id, claim, operation: "createProduct", input };
  return inTransaction(operation, (inside) => runIdempotent(inside.em, once, () => insertProduct(inside, input)));
}

async function insertProduct(
  operation: Operation,
  { variants: newVariants, ...input }: z.output<ProductSchemas["createProduct"]>,
): Promise<CreatedProduct> {
  const { em, shop, actor } = operation;
  const fields = { shopId: shop.id, id: newId("prod"), ...input, version: 1, createdBy: actor.id };
  const { handle, createdAt } = await insertWithFreeHandle(em, fields, newVariants);
  const variants = newVariants.map((variant, index) => newVariant(fields, index + 1, variant, createdAt));
  // Inserted directly: nothing is read back or changed later, so tracking changes would only cost time.
  await em.insertMany(
    Variant,
    variants.map(({ productId, ...variant }) => ({ ...variant, product: [shop.id, productId] as [string, string] })),
  );
  await recordInitialStock(operation, variants);
  await recordEvent(em, {
    shopId: shop.id,
    topic: "product.created",
    data: { productId: fields.id, handle, version: fields.version },
    createdAt,
  });
  return { ...fields, handle, createdAt, updatedAt: createdAt, variants };
}

/** Inserts the product with the first free handle. Waits for a transaction that is inserting the same one. */
async function insertWithFreeHandle(
  em: EntityManager,
  fields: Omit<CreatedProduct, "handle" | "createdAt" | "updatedAt" | "variants">,
  variants: Parameters<typeof productSearchWords>[1],
): Promise<Pick<Product, "handle" | "createdAt">> {
  for await (const handle of handlesFor(em, fields.shopId, fields.title)) {
    const inserted = await em
      .createQueryBuilder(Product)
      .insert({
        ...fields,
        handle,
        searchWords: productSearchWords({ ...fields, handle }, variants),
        createdAt: statementTime,
        updatedAt: statementTime,
      })
      .onConflict(["shopId", "handle"])
      .ignore()
      .returning("createdAt")
      .execute("get");
    if (inserted) return { handle, createdAt: inserted.createdAt };
  }
  throw new Error("No handle is free");
}
