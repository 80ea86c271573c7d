import { UniqueConstraintViolationException, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { invalidInput, type InputIssue } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { Big, currencyDecimals, fitsCurrency } from "../../platform/money.ts";
import { projections } from "../database.ts";
import { runOnce } from "../idempotency/run-once.ts";
import { parseInput, text } from "../input.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import { findFreeHandle } from "./handle.ts";
import { Product, ProductStatus, Variant } from "./product.entity.ts";
import { searchText } from "./search-text.ts";

export const MAX_PRICE = 99_999_999.99;
const MAX_INVENTORY_QUANTITY = 1_000_000_000;
const DEFAULT_VARIANT_TITLE = "Default Title";

/** The bounds of a new product, for every face. `price` alone differs between them in its type. */
export const createProductSchema = z.strictObject({
  title: text({ min: 1, max: 255, trim: true }),
  status: z.enum(ProductStatus).default(ProductStatus.ACTIVE),
  price: z
    .string()
    .refine((price) => new Big(price).gte(0), { error: "Must be at least 0", params: { code: "too_small" } })
    .refine((price) => new Big(price).lte(MAX_PRICE), {
      error: `Must be at most ${MAX_PRICE}`,
      params: { code: "too_big" },
    }),
  sku: text({ max: 64 }).default(""),
  inventoryQuantity: z.int().min(0).max(MAX_INVENTORY_QUANTITY).default(0),
});

export type CreateProductRequest = z.input<typeof createProductSchema>;

/** What the schema alone cannot know: how fine a price may be is the currency's. */
export function checkPriceDecimals(price: string, currency: string): InputIssue[] {
  if (fitsCurrency(price, currency)) return [];
  const message = `Must have at most ${currencyDecimals(currency)} decimal places in ${currency}`;
  return [{ path: "price", code: "too_many_decimals", message }];
}

/** A product with the variants that it was created with. */
export interface CreatedProduct extends Omit<Product, "searchText" | "variants"> {
  variants: Omit<Variant, "product">[];
}

/**
 * Creates a product with one variant and records `product.created`, in one transaction.
 *
 * @throws AppError VALIDATION_FAILED; CONFLICT while the same idempotency key is in use
 */
export async function createProduct(
  em: EntityManager,
  shop: Shop,
  request: CreateProductRequest,
  idempotencyKey?: string,
): Promise<CreatedProduct> {
  const input = parseInput(createProductSchema, request);
  const issues = checkPriceDecimals(input.price, shop.currency);
  if (issues.length > 0) throw invalidInput(issues);
  const once = { shopId: shop.id, key: idempotencyKey, operation: "createProduct", input };
  return retryOnHandleConflict((lostRace) =>
    em.transactional((transaction) =>
      runOnce(transaction, once, () => insertProduct(transaction, shop, input, lostRace)),
    ),
  );
}

async function insertProduct(
  em: EntityManager,
  shop: Shop,
  input: z.output<typeof createProductSchema>,
  lostRace: boolean,
): Promise<CreatedProduct> {
  const now = new Date();
  const handle = await findFreeHandle(projections(em), shop.id, input.title, { lostRace });
  const timestamps = { createdAt: now, updatedAt: now };
  const fields = {
    shopId: shop.id,
    id: newId("prod"),
    title: input.title,
    optionNames: [],
    version: 1,
    handle,
    description: null,
    status: input.status,
    ...timestamps,
  };
  const variant = {
    shopId: shop.id,
    id: newId("var"),
    position: 1,
    title: DEFAULT_VARIANT_TITLE,
    optionValues: [],
    sku: input.sku,
    barcode: "",
    price: new Big(input.price).toFixed(),
    inventoryQuantity: input.inventoryQuantity,
    ...timestamps,
  };
  // Inserted as they are: nothing is read back or changed later, so tracking changes would only cost time.
  await em.insert(Product, { ...fields, searchText: searchText(fields, [variant]) });
  await em.insert(Variant, { ...variant, product: [shop.id, fields.id] });
  await recordEvent(em, {
    shopId: shop.id,
    topic: "product.created",
    data: { productId: fields.id, handle },
    createdAt: now,
  });
  return { ...fields, variants: [variant] };
}

const ATTEMPTS = 3;

/** Two products of one title at the same moment pick the same handle; the later one picks again. */
async function retryOnHandleConflict<Result>(work: (lostRace: boolean) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt > 1);
    } catch (error) {
      const isConflict =
        error instanceof UniqueConstraintViolationException && error.message.includes("products_shop_id_handle_key");
      if (!isConflict || attempt === ATTEMPTS) throw error;
    }
  }
}
