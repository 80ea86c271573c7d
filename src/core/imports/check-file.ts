import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { addressKey } from "../../platform/mail/email-address.ts";
import { AppError } from "../model/errors.ts";
import { Import, StoredItem } from "../model/imports/import.entity.ts";
import { ImportState, type ImportField } from "../model/imports/import.enums.ts";
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
const BATCH = 50;

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
    const findRepeats = repeatsFinder(format);
    let stored = 0;
    for await (const batch of inBatchesOf(items)) {
      signal.throwIfAborted();
      batch.forEach(findRepeats);
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

/** Groups the records. Leaves a turn of the event loop to others after each, because a chunk has thousands of rows. */
async function* inBatchesOf(items: AsyncIterable<ReadItem>): AsyncGenerator<ReadItem[]> {
  let batch: ReadItem[] = [];
  for await (const item of items) {
    batch.push(item);
    await nextTurn();
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A value by which a record is found, and whether others may have it. */
type Key = [field: ImportField, value: string, mayRepeat?: boolean];

/** Adds a problem to records that repeat an earlier one: a second run could not tell them apart. */
function repeatsFinder({ columns, mapping }: ImportFormat) {
  const rows = new Map<string, number>();
  return ({ rows: [row], input, problems }: ReadItem) => {
    if (problems.length > 0) return;
    for (const [field, value, mayRepeat] of keysOf(input)) {
      const name = `${field === "TITLE" ? "HANDLE" : field} ${value}`;
      const first = rows.get(name);
      const column = columns[mapping.find((each) => each.field === field)?.column ?? -1] ?? null;
      if (first === undefined) rows.set(name, row);
      else if (!mayRepeat) problems.push({ row, column, value, ...repeated(first) });
    }
  };
}

const repeated = (first: number) => ({
  message: `Row ${first} has the same value.`,
  remedy: "Give each record a different value, or remove one of them.",
});

/** A product without a handle and SKUs is found by the handle of its title. */
function keysOf(input: ImportedProduct | ImportedCustomer): Key[] {
  if ("email" in input) return [["EMAIL", addressKey(input.email)]];
  const { handle, title, variants } = input;
  const skus = variants.flatMap(({ sku }): Key[] => (sku ? [["SKU", sku]] : []));
  if (handle !== undefined) return [["HANDLE", handle], ...skus];
  return title === undefined ? skus : [["TITLE", slugOf(title), skus.length > 0], ...skus];
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
