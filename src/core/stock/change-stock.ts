import { sql } from "kysely";
import { mayRead } from "../access/actor.ts";
import type { Operation } from "../access/operation.ts";
import { AppError } from "../model/errors.ts";
import { isId, newId } from "../model/ids.ts";
import { Permission } from "../model/permissions.ts";
import type { Product, Variant } from "../model/products/product.entity.ts";
import { MAX_QUANTITY, StockChange, type StockReason } from "../model/products/stock-change.entity.ts";
import { recordProductUpdated, type ProductUpdate } from "../products/edits/edit-product.ts";
import { anyOf } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";

/** A variant whose product this transaction has locked: nobody else can change them. */
export type LockedVariant = Pick<
  Variant,
  "id" | "title" | "sku" | "price" | "inventoryQuantity" | "isStockTracked" | "productId"
> & {
  productTitle: Product["title"];
  productStatus: Product["status"];
};

/**
 * Locks the products of these variants until the transaction ends, and returns the existing variants. All changes of
 * variants and stock lock products in this order, which prevents deadlocks.
 */
export async function lockVariants(
  operation: Operation,
  variantIds: readonly string[],
): Promise<Map<string, LockedVariant>> {
  const { em, shop } = operation;
  const database = kysely(em);
  const productIds = database
    .selectFrom("variants")
    .select("product_id")
    .where("shop_id", "=", shop.id)
    .where("id", "=", anyOf(variantIds.filter((id) => isId(id))));
  await database
    .selectFrom("products")
    .select("id")
    .where("shop_id", "=", shop.id)
    // With an array of ids: a join may start with all of the shop's products while the statistics are of an empty
    // table.
    .where("id", "=", sql<string>`any(array${productIds})`)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  // A separate statement, so that it sees what was committed while it waited for the locks.
  return readVariants(operation, variantIds);
}

/** Reads these variants as they are locked, but without locks. */
export async function readVariants(
  { em, shop }: Operation,
  variantIds: readonly string[],
): Promise<Map<string, LockedVariant>> {
  const rows = await kysely(em)
    .selectFrom("variants")
    .innerJoin("products", (join) =>
      join.onRef("products.shop_id", "=", "variants.shop_id").onRef("products.id", "=", "variants.product_id"),
    )
    .select(["variants.id", "variants.title", "variants.sku", "variants.price"])
    .select(["variants.inventory_quantity as inventoryQuantity", "variants.product_id as productId"])
    .select("variants.is_stock_tracked as isStockTracked")
    .select(["products.title as productTitle", "products.status as productStatus"])
    .where("variants.shop_id", "=", shop.id)
    .where("variants.id", "=", anyOf(variantIds.filter((id) => isId(id))))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Added or removed units, never 0. A variant may be repeated. */
export type StockDelta = { variant: LockedVariant; delta: number };

export interface StockCause {
  reason: StockReason;
  orderId?: string;
  note?: string | null;
  at: Date;
}

/**
 * Changes the stock of locked variants whose stock is tracked, writes the history, and records `product.updated` once for each product.
 *
 * @throws AppError INSUFFICIENT_STOCK when stock would become negative in a shop without overselling
 */
export async function changeStock(
  operation: Operation,
  deltas: readonly StockDelta[],
  cause: StockCause,
): Promise<void> {
  const { updates } = await writeStock(operation, deltas, cause);
  for (const update of updates) await recordProductUpdated(operation, update);
}

export interface WrittenStock {
  /** The entries of the history. */
  changes: StockChange[];
  /** One for each product. */
  updates: ProductUpdate[];
}

/** `changeStock` without the events. Returns the updates to record. */
export async function writeStock(
  operation: Operation,
  given: readonly StockDelta[],
  { reason, orderId, note, at }: StockCause,
): Promise<WrittenStock> {
  const deltas = given.filter(({ variant }) => variant.isStockTracked);
  if (deltas.length === 0) return { changes: [], updates: [] };
  for (const change of deltas) {
    const error = findStockError(operation, change);
    if (error) throw error;
  }
  const { em, shop, actor } = operation;
  const database = kysely(em);
  const ids = deltas.map(({ variant }) => variant.id);
  const changed = sql<{ variant_id: string; delta: number }>`
    unnest(${ids}::text[], ${deltas.map(({ delta }) => delta)}::int[])`;
  await database
    .updateTable("variants")
    .from(changed.as<"changed">(sql`changed (variant_id, delta)`))
    .set((eb) => ({ inventory_quantity: eb("inventory_quantity", "+", eb.ref("changed.delta")), updated_at: at }))
    .where("shop_id", "=", shop.id)
    // With an array of ids, as above.
    .where("id", "=", sql<string>`any(${ids})`)
    .whereRef("id", "=", "changed.variant_id")
    .execute();
  const products = await database
    .updateTable("products")
    .set({
      version: sql`version + 1`,
      // Never decreases, or queries for changes since a time would skip it.
      updated_at: sql`greatest(updated_at, ${at})`,
    })
    .where("shop_id", "=", shop.id)
    .where("id", "=", sql<string>`any(${[...new Set(deltas.map(({ variant }) => variant.productId))]})`)
    .returning(["id as productId", "handle", "version"])
    .execute();
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
    actorId: actor.id,
    createdAt: at,
  }));
  await em.insertMany(StockChange, changes);
  return { changes, updates: products.map((product) => ({ ...product, changed: ["inventoryQuantity"], at })) };
}

/** The error with which a change of stock is refused. */
export function findStockError({ shop, actor }: Operation, { variant, delta }: StockDelta): AppError | undefined {
  const { inventoryQuantity, isStockTracked } = variant;
  if (!isStockTracked) return undefined;
  const after = inventoryQuantity + delta;
  if (delta < 0 && after < 0 && !shop.allowsOverselling) {
    const { id, title, productTitle } = variant;
    const name = title === "Default Title" ? productTitle : `${productTitle} · ${title}`;
    const shown = mayRead(actor, Permission.READ_PRODUCTS) ? `${name}: ${inventoryQuantity} left` : `variant ${id}`;
    return new AppError("INSUFFICIENT_STOCK", `Insufficient stock of ${shown}`, {
      hint: `See Variant.inventoryQuantity of ${id} for the available units.`,
    });
  }
  if (Math.abs(after) > MAX_QUANTITY) {
    return new AppError(
      "INVALID_STATE",
      `The stock of a variant must be between -${MAX_QUANTITY} and ${MAX_QUANTITY} units`,
    );
  }
  return undefined;
}
