import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { isId, newId } from "../model/ids.ts";
import type { Author } from "../access/author.ts";
import { Permission } from "../model/permissions.ts";
import { describeLeft } from "../access/describe-left.ts";
import { kysely, runStatement } from "../queries/database.ts";
import type { Shop } from "../model/shops/shop.entity.ts";
import type { ProductStatus } from "../model/products/product.enums.ts";
import { recordProductUpdated, type ProductUpdate } from "../products/edits/product-update.ts";
import { MAX_QUANTITY, StockChange, type StockReason } from "../model/products/stock-change.entity.ts";

/** A variant whose product's row this transaction has locked, so that nobody else changes either. */
export interface LockedVariant {
  id: string;
  title: string;
  sku: string;
  price: string;
  inventoryQuantity: number;
  productId: string;
  productTitle: string;
  productStatus: ProductStatus;
}

/**
 * Locks the products of these variants until the transaction ends, in an order that no two transactions can
 * block each other in, and reads the variants, of which there may be fewer. Whoever changes a variant or its
 * stock locks its product so.
 */
export async function lockVariants(
  em: EntityManager,
  shopId: string,
  variantIds: readonly string[],
): Promise<Map<string, LockedVariant>> {
  const database = kysely(em);
  const ids = variantIds.filter((id) => isId(id));
  await runStatement(
    database,
    // By an array of ids: a join may begin with all products of the shop while the statistics are of an empty table.
    `select id from products where shop_id = $1 and id = any(array(
      select product_id from variants where shop_id = $1 and id = any($2)
    )) order by id for no key update`,
    [shopId, ids],
  );
  // A statement of its own: it sees what was committed while the locks were waited for.
  const rows = await runStatement<LockedVariant>(
    database,
    `select variants.id, variants.title, sku, price, inventory_quantity as "inventoryQuantity", product_id as "productId",
      products.title as "productTitle", status as "productStatus"
    from variants join products on products.shop_id = variants.shop_id and products.id = product_id
    where variants.shop_id = $1 and variants.id = any($2)`,
    [shopId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Units that come or go, none of them 0. One variant may come up once. */
export type StockDelta = { variant: LockedVariant; delta: number };

export interface StockCause {
  reason: StockReason;
  orderId?: string;
  note?: string | null;
  at: Date;
}

/**
 * Changes the stock of variants that are locked, writes the history, and records `product.updated` once for
 * each product.
 *
 * @throws AppError INSUFFICIENT_STOCK when a quantity would fall below zero in a shop that does not oversell
 */
export async function changeStock(
  em: EntityManager,
  shop: Shop,
  author: Author,
  deltas: readonly StockDelta[],
  cause: StockCause,
): Promise<void> {
  const { updates } = await writeStock(em, shop, author, deltas, cause);
  for (const update of updates) await recordProductUpdated(em, shop.id, update);
}

interface WrittenStock {
  /** The lines of the history. */
  changes: StockChange[];
  /** One for each product. */
  updates: ProductUpdate[];
}

/** `changeStock` without the events, which the caller records. */
export async function writeStock(
  em: EntityManager,
  shop: Shop,
  author: Author,
  deltas: readonly StockDelta[],
  { reason, orderId, note, at }: StockCause,
): Promise<WrittenStock> {
  if (deltas.length === 0) return { changes: [], updates: [] };
  for (const { variant, delta } of deltas) checkQuantity(shop, author, variant, delta);
  const database = kysely(em);
  await runStatement(
    database,
    `update variants set inventory_quantity = inventory_quantity + delta, updated_at = $2
    from unnest($3::text[], $4::int[]) as changes (variant_id, delta) where shop_id = $1 and id = variant_id`,
    [shop.id, at, deltas.map(({ variant }) => variant.id), deltas.map(({ delta }) => delta)],
  );
  const products = await runStatement<Omit<ProductUpdate, "at">>(
    database,
    // The moment never goes back: whoever asks for what changed since another would miss it.
    `update products set version = version + 1, updated_at = greatest(updated_at, $2)
    where shop_id = $1 and id = any($3) returning id as "productId", handle, version`,
    [shop.id, at, [...new Set(deltas.map(({ variant }) => variant.productId))]],
  );
  const changes = deltas.map(({ variant, delta }) => ({
    shopId: shop.id,
    id: newId("stk"),
    productId: variant.productId,
    variantId: variant.id,
    orderId: orderId ?? null,
    reason,
    note: note ?? null,
    delta,
    quantityAfter: variant.inventoryQuantity + delta,
    actorId: author.id,
    createdAt: at,
  }));
  await em.insertMany(StockChange, changes);
  return { changes, updates: products.map((product) => ({ ...product, at })) };
}

function checkQuantity(shop: Shop, author: Author, variant: LockedVariant, delta: number): void {
  const { inventoryQuantity } = variant;
  const after = inventoryQuantity + delta;
  if (delta < 0 && after < 0 && !shop.allowsOverselling) {
    const told = describeLeft(author, Permission.READ_PRODUCTS, inventoryQuantity);
    // Not by its SKU: who may only write need not know more than they sent.
    throw new AppError("INSUFFICIENT_STOCK", `Insufficient stock of variant ${variant.id}${told}`, {
      hint: "See Variant.inventoryQuantity for the available units.",
    });
  }
  if (Math.abs(after) > MAX_QUANTITY) {
    throw new AppError(
      "INVALID_STATE",
      `The stock of a variant must be between -${MAX_QUANTITY} and ${MAX_QUANTITY} units`,
    );
  }
}
