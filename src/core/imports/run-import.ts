import type { EntityManager } from "@mikro-orm/postgresql";
import { system, type Actor } from "../access/actor.ts";
import { findLostAuthority } from "../access/lost-authority.ts";
import type { Operation } from "../access/operation.ts";
import { attempt, type OperationError } from "../validation/bulk.ts";
import { AppError } from "../model/errors.ts";
import { Import, MAX_REFUSALS, StoredItem } from "../model/imports/import.entity.ts";
import { ExistingRecords, ImportState } from "../model/imports/import.enums.ts";
import type { RowKey } from "../queries/row-key.ts";
import { transactional } from "../queries/transaction.ts";
import { requireShop } from "../shops/shops.ts";
import { endImport, lockImport, permissionsFor } from "./change-import.ts";
import type { Importer } from "./importers/importer.ts";
import { importers } from "./importers/importers.ts";

/** Records imported in one transaction. */
const BATCH = 100;
/** The time after which a transaction ends, because others wait for its locks. Milliseconds. */
const MAX_TIME = 250;

/**
 * Imports the next records of a running import in one transaction, with their counts, so that an interruption neither
 * repeats nor loses one. It stops once its author may no longer make the changes.
 *
 * @returns "closed" while the shop is closed, and "ended" once nothing is left to do
 */
export async function runBatch(em: EntityManager, { shopId, id }: RowKey): Promise<"more" | "closed" | "ended"> {
  return transactional(em, async (inside) => {
    const { value: running } = await attempt(() => lockImport(inside, shopId, id, [ImportState.RUNNING]));
    if (!running) return "ended";
    const shop = await requireShop(inside, shopId);
    if (shop.closedAt) return "closed";
    const author = running.actor as Actor;
    const lost = await findLostAuthority(inside, shop, author, permissionsFor[running.kind]);
    if (lost !== undefined) {
      await endImport({ em: inside, shop, actor: system }, running, ImportState.FAILED, lost);
      return "ended";
    }
    const items = await inside.find(
      StoredItem,
      { shopId, importId: id, number: { $gt: running.lastNumber }, problems: null },
      { orderBy: { number: "asc" }, limit: BATCH },
    );
    // Entities that an operation finds again would have their values from before it locked them.
    inside.clear();
    const operation = { em: inside, shop, actor: author, isSilent: !running.sendsWebhooks };
    const failure = await importItems(operation, running, items);
    await inside.nativeUpdate(Import, { shopId, id }, progressOf(running));
    const isLast = items.length < BATCH && running.lastNumber === (items.at(-1)?.number ?? running.lastNumber);
    if (!isLast && failure === undefined) return "more";
    await endImport(operation, running, failure === undefined ? ImportState.FINISHED : ImportState.FAILED, failure);
    return "ended";
  });
}

/** Imports records, for a while, and counts them. Returns why the import must stop, if so. */
async function importItems(
  operation: Operation,
  running: Import,
  items: readonly StoredItem[],
): Promise<string | undefined> {
  const importer = importers[running.kind];
  const meant = await importer.findExisting(
    operation,
    items.map(({ input }) => input),
  );
  const startedAt = performance.now();
  for (const [index, { number, input, firstRow }] of items.entries()) {
    if (performance.now() - startedAt > MAX_TIME) break;
    const found = meant[index]!.existing;
    if (found.length > 0 && running.existing === ExistingRecords.STOP)
      return `Row ${firstRow}: The record exists already`;
    const { value, error } = await attempt(() => importItem(operation, running, { importer, input, found }));
    // A failed change must not leave modified entities in this transaction.
    operation.em.clear();
    running.lastNumber = number;
    running[value ?? "refusedCount"] += 1;
    if (error && running.refusals.length < MAX_REFUSALS) {
      running.refusals = [...running.refusals, { row: firstRow, message: describe(error) }];
    }
  }
  return undefined;
}

type Result = "createdCount" | "updatedCount" | "unchangedCount";

/** @throws AppError when the record is refused */
async function importItem(
  operation: Operation,
  { existing, stock, fileName }: Import,
  { importer, input, found }: { importer: Importer<unknown, unknown>; input: unknown; found: unknown[] },
): Promise<Result> {
  if (found.length > 1) throw new AppError("CONFLICT", "Several existing records fit");
  if (found.length === 0) {
    await importer.create(operation, input);
    return "createdCount";
  }
  if (existing === ExistingRecords.LEAVE) return "unchangedCount";
  const isUpdated = await importer.update(operation, found[0], input, { stock: stock!, note: `Import of ${fileName}` });
  return isUpdated ? "updatedCount" : "unchangedCount";
}

function describe({ message, issues }: OperationError): string {
  if (issues.length === 0) return message;
  return issues.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message)).join("; ");
}

function progressOf(running: Import): Partial<Import> {
  const { lastNumber, refusals, createdCount, updatedCount, unchangedCount, refusedCount } = running;
  return { lastNumber, refusals, createdCount, updatedCount, unchangedCount, refusedCount };
}
