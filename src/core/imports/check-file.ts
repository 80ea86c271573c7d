import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { Actor } from "../access/actor.ts";
import { AppError } from "../model/errors.ts";
import { Import, StoredItem } from "../model/imports/import.entity.ts";
import { ImportState } from "../model/imports/import.enums.ts";
import { kysely } from "../queries/database.ts";
import type { RowKey } from "../queries/row-key.ts";
import { transactional } from "../queries/transaction.ts";
import { requireShop } from "../shops/shops.ts";
import { failImport } from "./change-import.ts";
import { checkRecord, type CheckedRecord } from "./check-record.ts";
import { insertItems } from "./import-items.sql.ts";
import { importers } from "./importers.ts";
import { readImport } from "./read-import.ts";
import { ShopCheck, type LateProblem } from "./shop-check.ts";

/** Records checked and stored at a time, as many as are imported at a time. */
const BATCH = 100;

/**
 * Reads the file of an import in the state CHECKING and stores its records with their problems. Starts over after an
 * interruption. Gives up when the import was cancelled, or another process has begun to check it.
 *
 * @throws Error when `signal` aborts
 */
export async function checkFile(em: EntityManager, key: RowKey, signal: AbortSignal): Promise<void> {
  const checked = await begin(em, key);
  if (!checked) return;
  const { kind, chosenFormat } = checked;
  try {
    const shop = await requireShop(em, key.shopId);
    const { format, records } = await readImport(() => readChunks(em, key), { kind, currency: shop, ...chosenFormat });
    const check = new ShopCheck({ em, shop, actor: checked.actor as Actor }, importers[kind]);
    let stored = 0;
    for await (const batch of inBatchesOf(records, (record) => checkRecord(record, format.source, shop))) {
      signal.throwIfAborted();
      await check.check(batch, stored);
      if (!(await storeRecords(em, key, stored, batch, check.late))) return;
      stored += batch.length;
    }
    format.notes.push(...check.notes.values());
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
async function* inBatchesOf<Read, Checked>(
  records: AsyncIterable<Read>,
  check: (record: Read) => Checked,
): AsyncGenerator<Checked[]> {
  let batch: Checked[] = [];
  for await (const record of records) {
    batch.push(check(record));
    await nextTurn();
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Stores records after the first `stored`. Returns false if the import has another number of them by now. */
async function storeRecords(
  em: EntityManager,
  key: RowKey,
  stored: number,
  records: readonly CheckedRecord[],
  late: readonly LateProblem[],
): Promise<boolean> {
  const faulty = records.filter(({ problems }) => problems.length > 0);
  const problemCount = faulty.reduce((sum, { problems }) => sum + problems.length, late.length);
  return transactional(em, async (inside) => {
    const { numUpdatedRows } = await kysely(inside)
      .updateTable("imports")
      .set({
        item_count: sql`item_count + ${records.length}`,
        faulty_count: sql`faulty_count + ${faulty.length + new Set(late.map(({ number }) => number)).size}`,
        problem_count: sql`problem_count + ${problemCount}`,
      })
      .where("shop_id", "=", key.shopId)
      .where("id", "=", key.id)
      .where("state", "=", ImportState.CHECKING)
      .where("item_count", "=", stored)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await insertItems(inside, key, stored, records);
    for (const { number, problem } of late) {
      await inside.nativeUpdate(StoredItem, { shopId: key.shopId, importId: key.id, number }, { problems: [problem] });
    }
    return true;
  });
}
