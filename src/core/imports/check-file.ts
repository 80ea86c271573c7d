import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { AppError } from "../model/errors.ts";
import { Import, StoredItem } from "../model/imports/import.entity.ts";
import { ImportField, ImportKind, ImportState } from "../model/imports/import.enums.ts";
import type { ImportedCustomer, ImportedProduct, ImportFormat } from "../model/imports/imported.ts";
import { slugOf } from "../products/handle.ts";
import { kysely } from "../queries/database.ts";
import type { RowKey } from "../queries/row-key.ts";
import { transactional } from "../queries/transaction.ts";
import { requireShop } from "../shops/shops.ts";
import { failImport } from "./change-import.ts";
import { insertItems } from "./import-items.sql.ts";
import { readImport, type ReadItem } from "./read-import.ts";

/** Records stored at a time. */
const BATCH = 250;
/** The longest time without a turn of the event loop. Milliseconds. */
const TURN = 5;

/**
 * Reads the file of an import in the state CHECKING and stores its records with their problems. Begins anew after an
 * interruption. Gives up when the import was cancelled, or another process has begun to check it.
 *
 * @throws Error when `signal` aborts
 */
export async function checkFile(em: EntityManager, key: RowKey, signal: AbortSignal): Promise<void> {
  const checked = await begin(em, key);
  if (!checked) return;
  const { kind, chosenFormat } = checked;
  try {
    const currency = await requireShop(em, key.shopId);
    const { format, items } = await readImport(() => readChunks(em, key), { kind, currency, ...chosenFormat });
    const repeats = new Repeats(kind, format);
    let stored = 0;
    for await (const batch of inBatchesOf(items)) {
      signal.throwIfAborted();
      for (const item of batch) repeats.find(item);
      if (!(await storeItems(em, key, stored, batch))) return;
      stored += batch.length;
    }
    const ofThis = { ...key, state: ImportState.CHECKING, itemCount: stored };
    await em.nativeUpdate(Import, ofThis, { state: ImportState.CHECKED, format });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await failImport(em, key, [error.message, error.hint].filter(Boolean).join(". "));
  }
}

/** Deletes what an earlier check has stored. Returns null unless the import is to be checked. */
async function begin(em: EntityManager, key: RowKey): Promise<Import | null> {
  return transactional(em, async (inside) => {
    const counts = { itemCount: 0, faultyCount: 0, problemCount: 0, format: null };
    const found = await inside.nativeUpdate(Import, { ...key, state: ImportState.CHECKING }, counts);
    // A check that comes late must leave the records of the one that is done.
    if (found === 0) return null;
    await inside.nativeDelete(StoredItem, { shopId: key.shopId, importId: key.id });
    return inside.findOneOrFail(Import, key);
  });
}

async function* readChunks(em: EntityManager, { shopId, id }: RowKey): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const chunk = await kysely(em)
      .selectFrom("import_chunks")
      .select("data")
      .where("shop_id", "=", shopId)
      .where("import_id", "=", id)
      .where("number", "=", number)
      .executeTakeFirst();
    if (!chunk) return;
    yield chunk.data;
  }
}

/** Groups the records. Leaves turns of the event loop to others, because a chunk has thousands of rows. */
async function* inBatchesOf(items: AsyncIterable<ReadItem>): AsyncGenerator<ReadItem[]> {
  let batch: ReadItem[] = [];
  let turnAt = performance.now();
  for await (const item of items) {
    batch.push(item);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
    if (performance.now() - turnAt < TURN) continue;
    await nextTurn();
    turnAt = performance.now();
  }
  if (batch.length > 0) yield batch;
}

/** Adds a problem to records that repeat an earlier one: a second run could not tell them apart. */
class Repeats {
  readonly #kind: ImportKind;
  readonly #format: ImportFormat;
  /** The first rows of records. */
  readonly #rows = new Map<string, number>();

  constructor(kind: ImportKind, format: ImportFormat) {
    this.#kind = kind;
    this.#format = format;
  }

  find({ rows: [row], input, problems }: ReadItem): void {
    if (problems.length > 0) return;
    const keys =
      this.#kind === ImportKind.PRODUCTS
        ? keysOfProduct(input as ImportedProduct)
        : [{ field: ImportField.EMAIL, value: (input as ImportedCustomer).email.toLowerCase(), mayRepeat: false }];
    for (const { field, value, mayRepeat } of keys) {
      const name = `${field === ImportField.TITLE ? ImportField.HANDLE : field} ${value}`;
      const first = this.#rows.get(name);
      if (first === undefined) this.#rows.set(name, row);
      else if (!mayRepeat) problems.push({ row, column: this.#columnOf(field), value, ...repeated(first) });
    }
  }

  #columnOf(field: ImportField): string | null {
    const found = this.#format.mapping.find((each) => each.field === field);
    return (found && this.#format.columns[found.column]) ?? null;
  }
}

const repeated = (first: number) => ({
  message: `Row ${first} has the same value.`,
  remedy: "Give each record a different value, or remove one of them.",
});

interface Key {
  field: ImportField;
  value: string;
  mayRepeat: boolean;
}

/** The values by which a product is found. One without a handle and SKUs is found by the handle of its title. */
function keysOfProduct({ handle, title, variants }: ImportedProduct): Key[] {
  const skus = variants.flatMap(({ sku }): Key[] =>
    sku ? [{ field: ImportField.SKU, value: sku, mayRepeat: false }] : [],
  );
  if (handle !== undefined) return [{ field: ImportField.HANDLE, value: handle, mayRepeat: false }, ...skus];
  if (title === undefined) return skus;
  return [{ field: ImportField.TITLE, value: slugOf(title), mayRepeat: skus.length > 0 }, ...skus];
}

/** Stores records after the first `stored`. Returns false if the import has another number of them by now. */
async function storeItems(
  em: EntityManager,
  key: RowKey,
  stored: number,
  items: readonly ReadItem[],
): Promise<boolean> {
  const faulty = items.filter(({ problems }) => problems.length > 0);
  return transactional(em, async (inside) => {
    const { numUpdatedRows } = await kysely(inside)
      .updateTable("imports")
      .set({
        item_count: sql`item_count + ${items.length}`,
        faulty_count: sql`faulty_count + ${faulty.length}`,
        problem_count: sql`problem_count + ${faulty.reduce((sum, { problems }) => sum + problems.length, 0)}`,
      })
      .where("shop_id", "=", key.shopId)
      .where("id", "=", key.id)
      .where("state", "=", ImportState.CHECKING)
      .where("item_count", "=", stored)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await insertItems(inside, key, stored, items);
    return numUpdatedRows > 0n;
  });
}
