import type { EntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import { newId } from "../ids.ts";
import type { Author } from "../access/author.ts";
import { databaseTime } from "../queries/database-time.ts";
import { kysely } from "../queries/database.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput } from "../validation/input.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { recordEvent } from "../webhooks/events/record-event.ts";
import { findFreeHandle, isHandleConflict } from "./handle.ts";
import { newVariant, recordInitialStock, type NewVariant } from "./variants/new-variant.ts";
import { Product, Variant } from "./product.entity.ts";
import { productSchemas, type ProductSchemas } from "./product-schemas.ts";
import { searchText } from "./search-text.ts";

export type CreateProductRequest = z.input<ProductSchemas["createProduct"]>;

/** A product with the variants that it was created with. */
export interface CreatedProduct extends Omit<Product, "searchText" | "editedVersion" | "variants"> {
  variants: NewVariant[];
}

/**
 * Creates a product with its variants and records `product.created`, in one transaction.
 *
 * @throws AppError VALIDATION_FAILED; CONFLICT while the same idempotency key is in use
 */
export async function createProduct(
  em: EntityManager,
  shop: Shop,
  author: Author,
  request: CreateProductRequest,
  claim?: IdempotencyClaim,
): Promise<CreatedProduct> {
  const input = parseInput(productSchemas(shop.currency).createProduct, request);
  const once = { shopId: shop.id, claim, operation: "createProduct", input };
  return retryOnHandleConflict((lostRace) =>
    em.transactional((transaction) =>
      runIdempotent(transaction, once, () => insertProduct(transaction, shop, author, input, lostRace)),
    ),
  );
}

async function insertProduct(
  em: EntityManager,
  shop: Shop,
  author: Author,
  { variants: newVariants, ...input }: z.output<ProductSchemas["createProduct"]>,
  lostRace: boolean,
): Promise<CreatedProduct> {
  const now = await databaseTime(em);
  const handle = await findFreeHandle(kysely(em), shop.id, input.title, { lostRace });
  const id = newId("prod");
  const created = { createdBy: author.id, createdAt: now, updatedAt: now };
  const fields = { shopId: shop.id, id, ...input, version: 1, handle, ...created };
  const variants = newVariants.map((variant, index) => newVariant(fields, index + 1, variant, now));
  // Inserted as they are: nothing is read back or changed later, so tracking changes would only cost time.
  await em.insert(Product, { ...fields, searchText: searchText(fields, variants) });
  await em.insertMany(
    Variant,
    variants.map(({ productId, ...variant }) => ({ ...variant, product: [shop.id, productId] as [string, string] })),
  );
  await recordInitialStock(em, author, variants);
  await recordEvent(em, {
    shopId: shop.id,
    topic: "product.created",
    data: { productId: fields.id, handle, version: fields.version },
    createdAt: now,
  });
  return { ...fields, variants };
}

const ATTEMPTS = 3;

/** Two products of one title at the same moment pick the same handle; the later one picks again. */
async function retryOnHandleConflict<Result>(work: (lostRace: boolean) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt > 1);
    } catch (error) {
      if (!isHandleConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
