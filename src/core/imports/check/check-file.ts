import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Actor } from "../../access/actor.ts";
import { Import, ImportChunk, StoredItem } from "../../model/imports/import.entity.ts";
import { ImportState } from "../../model/imports/import.enums.ts";
import type { RowKey } from "../../queries/row-key.ts";
import { transactional } from "../../queries/transaction.ts";
import { requireShop } from "../../shops/shops.ts";
import { collectError } from "../../validation/bulk.ts";
import { failImport } from "../change-import.ts";
import { checkRecord } from "./check-record.ts";
import { insertItems } from "./import-items.sql.ts";
import { importers } from "../importers/importers.ts";
import type { FileRecord } from "../formats/draft.ts";
import { readImport } from "../formats/read-import.ts";
import { ShopCheck } from "./shop-check.ts";

/** Records checked and stored at a time, as many as are imported at a time. */
const BATCH = 100;
const none = { itemCount: 0, faultyCount: 0, problemCount: 0 };
type Counts = typeof none;

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
    const file = await readImport(() => readChunks(em, key), { kind, currency: shop, ...chosenFormat });
    const { source, notes } = file.format;
    const check = new ShopCheck({ em, shop, actor: checked.actor as Actor }, importers[kind]);
    let counts = none;
    for await (const batch of inBatchesOf(file.records, (record) => checkRecord(record, source, shop))) {
      signal.throwIfAborted();
      const found = await check.check(batch, counts.itemCount);
      const stored = await storeRecords(em, key, counts, found);
      if (!stored) return;
      counts = stored;
    }
    const ofRecords = { notes: [...notes, ...check.notes.values()], unreadColumns: file.findUnreadColumns() };
    const format = { ...file.format, ...ofRecords };
    const ofThis = { ...key, state: ImportState.CHECKING, itemCount: counts.itemCount };
    await em.nativeUpdate(Import, ofThis, { state: ImportState.CHECKED, format });
  } catch (error) {
    const { message, hint } = collectError(error);
    await failImport(em, key, [message, hint].filter(Boolean).join(". "));
  }
}

/** Deletes what an earlier check has stored. Returns null unless the import is to be checked. */
async function begin(em: EntityManager, key: RowKey): Promise<Import | null> {
  return transactional(em, async (inside) => {
    const found = await inside.nativeUpdate(Import, { ...key, state: ImportState.CHECKING }, { ...none, format: null });
    // A check that comes late must leave the records of the one that is done.
    if (found === 0) return null;
    await inside.nativeDelete(StoredItem, { shopId: key.shopId, importId: key.id });
    return inside.findOneOrFail(Import, key);
  });
}

async function* readChunks(em: EntityManager, { shopId, id }: RowKey): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const chunk = await em.findOne(ImportChunk, { shopId, importId: id, number }, { disableIdentityMap: true });
    if (!chunk) return;
    yield chunk.data;
  }
}

/** Groups the records. Leaves a turn of the event loop to others after each, because a chunk has thousands of rows. */
async function* inBatchesOf(
  records: AsyncIterable<FileRecord>,
  check: (record: FileRecord) => FileRecord,
): AsyncGenerator<FileRecord[]> {
  let batch: FileRecord[] = [];
  for await (const record of records) {
    batch.push(check(record));
    await nextTurn();
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Stores a batch after the counted records. Returns the new counts, or null if another check has changed them. */
async function storeRecords(
  em: EntityManager,
  key: RowKey,
  { itemCount, faultyCount, problemCount }: Counts,
  { records, late }: Awaited<ReturnType<ShopCheck["check"]>>,
): Promise<Counts | null> {
  const faulty = records.filter(({ problems }) => problems.length > 0);
  const counts = {
    itemCount: itemCount + records.length,
    faultyCount: faultyCount + faulty.length + new Set(late.map(({ number }) => number)).size,
    problemCount: faulty.reduce((sum, { problems }) => sum + problems.length, problemCount + late.length),
  };
  return transactional(em, async (inside) => {
    const expected = { ...key, state: ImportState.CHECKING, itemCount };
    if ((await inside.nativeUpdate(Import, expected, counts)) === 0) return null;
    await insertItems(inside, key, itemCount, records);
    for (const { number, problem } of late) {
      await inside.nativeUpdate(StoredItem, { shopId: key.shopId, importId: key.id, number }, { problems: [problem] });
    }
    return counts;
  });
}
