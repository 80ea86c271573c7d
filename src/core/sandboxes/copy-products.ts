import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../model/ids.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { ProductStatus } from "../model/products/product.enums.ts";
import type { Shop } from "../model/shops/shop.entity.ts";
import { writeRowsOfShop } from "../moves/moved-rows.sql.ts";
import { productSearchWords } from "../products/search-words.ts";
import { anyOf } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { addSales, createHistory, snapshotOf, type ShopSize } from "./sample/fill-shop.ts";

/** Products copied in one transaction. */
const BATCH = 250;

/**
 * Copies the next products of a shop to its sandbox with new ids, and their stock as the beginning of its history. Sells
 * those of the first batch with some for sale. Returns the id of the last product, if more may follow.
 */
export async function copyProducts(em: EntityManager, sandbox: Shop, after: string, size: ShopSize) {
  const { id: shopId, sandboxOf } = sandbox;
  const history = await createHistory(em, size);
  const { products, variants, metadata } = await readProducts(em, { from: sandboxOf!, to: shopId, after });
  const variantsOf = Map.groupBy(variants, (variant) => variant.product_id);
  // Without products that were left out, or deleted since they were read.
  const kept = products.filter(({ id }) => variantsOf.has(id));
  const ids = new Map([...kept, ...variants].map(({ id }) => [id, newId(id.startsWith("prod_") ? "prod" : "var")]));
  const age = <Row extends { id: string; created_at: Date }>(row: Row) => {
    const createdAt = row.created_at < history.beginsAt ? row.created_at : history.beginsAt;
    return { ...row, id: ids.get(row.id)!, created_at: createdAt, updated_at: createdAt };
  };
  const copies = kept.map((product) => {
    const words = productSearchWords({ ...product, shopId }, variantsOf.get(product.id)!);
    return { ...age(product), version: 1, edited_version: 1, created_by: null, search_words: words };
  });
  const ofCopies = variants.map((variant) => ({ ...age(variant), product_id: ids.get(variant.product_id)! }));
  await insertRows(em, shopId, "products", copies);
  await insertRows(em, shopId, "variants", ofCopies);
  const ofRecords = metadata.filter((row) => ids.has(row.record_id));
  await insertRows(
    em,
    shopId,
    "metadata",
    ofRecords.map((row) => ({ ...row, record_id: ids.get(row.record_id)! })),
  );
  const productOf = new Map(copies.map((copy) => [copy.id, copy]));
  const stocked = ofCopies.map((variant) => {
    const copy = productOf.get(variant.product_id)!;
    const { id, created_at: createdAt, inventory_quantity: inventoryQuantity } = variant;
    const isForSale = copy.status === ProductStatus.ACTIVE && variant.is_stock_tracked && inventoryQuantity >= 0;
    const sold = isForSale ? snapshotOf(copy, variant) : undefined;
    return { shopId, id, productId: copy.id, createdAt, inventoryQuantity, sold };
  });
  const isMore = products.length === BATCH;
  const isSold = (!isMore || stocked.some(({ sold }) => sold)) && (await em.count(Customer, { shopId })) === 0;
  await addSales(em, sandbox, isSold ? size : { customers: 0, orders: 0 }, { variants: stocked, history });
  return isMore ? products.at(-1)!.id : undefined;
}

/** Reads the next products, and what belongs to those whose handle is free in the sandbox. */
async function readProducts(em: EntityManager, { from, to, after }: { from: string; to: string; after: string }) {
  const database = kysely(em);
  const own = database.selectFrom("products").selectAll().where("shop_id", "=", from);
  const products = await own.where("id", ">", after).orderBy("id").limit(BATCH).execute();
  // A product may have got the handle of one that was copied before.
  const copied = database.selectFrom("products").select("handle").where("shop_id", "=", to);
  const found = await copied.where("handle", "=", anyOf(products.map(({ handle }) => handle))).execute();
  const taken = new Set(found.map(({ handle }) => handle));
  const ids = products.filter(({ handle }) => !taken.has(handle)).map(({ id }) => id);
  const ofShop = database.selectFrom("variants").selectAll().where("shop_id", "=", from);
  const variants = await ofShop.where("product_id", "=", anyOf(ids)).execute();
  const entries = database.selectFrom("metadata").selectAll().where("shop_id", "=", from);
  const metadata = await entries.where("record_id", "=", anyOf([...ids, ...variants.map(({ id }) => id)])).execute();
  return { products, variants, metadata };
}

async function insertRows(em: EntityManager, shopId: string, name: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((column) => ({ name: column }));
  if (columns.length === 0) return;
  const table = { name, ownerColumn: "shop_id", columns };
  await writeRowsOfShop(kysely(em), table, { shopId, json: JSON.stringify(rows) });
}
