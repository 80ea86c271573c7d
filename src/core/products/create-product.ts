import type { EntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import { newId } from "../model/ids.ts";
import { inTransaction, type Operation } from "../access/operation.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput } from "../validation/input.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { handlesFor, takenHandle } from "./handle.ts";
import {
  insertProduct,
  insertVariants,
  type NewProduct,
  type StoredProduct,
  newVariant,
  type NewVariant,
} from "./insert-product.ts";
import type { Product, Variant } from "../model/products/product.entity.ts";
import { productSchemas, type ProductSchemas, type CreateProductInput } from "./product.inputs.ts";
import { refuseTakenMetadata, storedMetadata, writeMetadata } from "../queries/metadata.sql.ts";
import { productSearchWords } from "./search-words.ts";

/** A product with its initial variants. */
export interface CreatedProduct extends StoredProduct, Pick<Product, "metadata"> {
  variants: Omit<Variant, "product">[];
}

/**
 * Creates a product with its variants and records `product.created`, in one transaction.
 *
 * @param options.handle the valid handle to use. Made from the title if omitted
 * @param options.isImported whether stock may be oversold
 * @throws AppError VALIDATION_FAILED; CONFLICT while the same idempotency key is in use
 */
export async function createProduct(
  operation: Operation,
  request: CreateProductInput,
  { claim, handle, isImported = false }: { claim?: IdempotencyClaim; handle?: string; isImported?: boolean } = {},
): Promise<CreatedProduct> {
  const { createProduct: schema, importProduct } = productSchemas(operation.shop);
  const input = parseInput(isImported ? importProduct : schema, request);
  // A retry of a request to 1.1, which had no such field, is the same request.
  const variants = input.variants.map(({ isStockTracked, ...same }) =>
    isStockTracked ? same : { ...same, isStockTracked },
  );
  const once = { shopId: operation.shop.id, claim, operation: "createProduct", input: { ...input, variants } };
  return inTransaction(operation, (inside) =>
    runIdempotent(inside.em, once, () => insertAndAnnounce(inside, input, handle)),
  );
}

async function insertAndAnnounce(
  inside: Operation,
  { variants: newVariants, metadata, uniqueMetadata, ...input }: z.output<ProductSchemas["createProduct"]>,
  wantedHandle: string | undefined,
): Promise<CreatedProduct> {
  const { em, shop, actor } = inside;
  const key = { shopId: shop.id, id: newId("prod") };
  await refuseTakenMetadata(em, key, { metadata, uniqueMetadata });
  const fields = { ...key, ...input, version: 1, createdBy: actor.id };
  const variants = newVariants.map((variant, index) => newVariant(fields, index + 1, variant));
  const product = await insertWithFreeHandle(em, fields, variants, wantedHandle);
  const { id, handle, version, createdAt, updatedAt } = product;
  await writeMetadata(em, shop.id, { id, metadata }, ...variants);
  await recordEvent(inside, { topic: "product.created", data: { productId: id, handle, version }, createdAt });
  const created = variants.map((variant) => ({ ...variant, createdAt, updatedAt }));
  return { ...product, metadata: storedMetadata(metadata), variants: created };
}

/** Inserts the product with the wanted or the first free handle. Waits for a transaction that is inserting the same one. */
async function insertWithFreeHandle(
  em: EntityManager,
  fields: Omit<NewProduct, "handle" | "searchWords">,
  variants: readonly NewVariant[],
  wanted: string | undefined,
): Promise<StoredProduct> {
  for await (const handle of wanted === undefined ? handlesFor(em, fields.shopId, fields.title) : [wanted]) {
    const product = { ...fields, handle, searchWords: productSearchWords({ ...fields, handle }, variants) };
    const stored = await insertProduct(em, product);
    if (!stored) continue;
    await insertVariants(em, stored, variants);
    return stored;
  }
  if (wanted !== undefined) throw takenHandle();
  throw new Error("No handle is free");
}
