import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Actor } from "../access/actor.ts";
import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { recordAudit, type AuditDetails } from "../audit/record-audit.ts";
import { AppError, invalidInput } from "../model/errors.ts";
import { isId, newId } from "../model/ids.ts";
import { Import, ImportChunk, StoredItem } from "../model/imports/import.entity.ts";
import { ExistingRecords, ImportedStock, ImportKind, ImportState } from "../model/imports/import.enums.ts";
import { CHUNK_SIZE, MAX_FILE_SIZE } from "../model/imports/imported.ts";
import { Permission } from "../model/permissions.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { line, text } from "../model/text.ts";
import { databaseTime } from "../queries/database-time.ts";
import type { RowKey } from "../queries/row-key.ts";
import { transactional } from "../queries/transaction.ts";
import { lockShop } from "../shops/shops.ts";
import { parseInput } from "../validation/input.ts";
import { addImportJob, CHECK_IMPORT, RUN_IMPORT } from "./import-jobs.sql.ts";
import { chosenEncodings } from "./formats/encodings.ts";
import type { CheckImportInput, CreateImportInput, StartImportInput } from "./import.inputs.ts";

/** An import shows records and makes them. */
export const permissionsFor = {
  [ImportKind.PRODUCTS]: [Permission.READ_PRODUCTS, Permission.WRITE_PRODUCTS],
  [ImportKind.CUSTOMERS]: [Permission.READ_CUSTOMERS, Permission.WRITE_CUSTOMERS],
};

const createSchema = z.strictObject({
  kind: z.enum(ImportKind),
  fileName: line({ max: 255 }),
  fileSize: z.int().min(1).max(MAX_FILE_SIZE),
});

/**
 * Creates an import, and cancels one of the shop that was not started. Returns its id.
 *
 * @throws AppError VALIDATION_FAILED; INVALID_STATE while an import is running
 */
export async function createImport(operation: Operation, request: CreateImportInput): Promise<string> {
  const input = parseInput(createSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const { permissions: _, ...actor } = inside.actor;
    await lockShop(em, shop.id);
    const current = await em.findOne(Import, { shopId: shop.id, endedAt: null });
    if (current?.state === ImportState.RUNNING) {
      throw new AppError("INVALID_STATE", "Another import is running", { hint: "Wait for its end, or cancel it." });
    }
    if (current) await endImport(inside, current, ImportState.CANCELLED);
    const fields = { shopId: shop.id, id: newId("imp"), state: ImportState.UPLOADING, createdBy: actor.id, actor };
    await em.insert(Import, { ...input, ...fields, createdAt: await databaseTime(em) });
    return fields.id;
  });
}

/**
 * Ends an import inside a transaction, and records the end of one that was started in the audit log. Only the report and
 * records with problems stay.
 */
export async function endImport(
  inside: Operation<ShopKey>,
  ended: Import,
  state: ImportState,
  failure: string | null = null,
): Promise<void> {
  const { em } = inside;
  const { shopId, id } = ended;
  await em.nativeUpdate(Import, { shopId, id, endedAt: null }, { state, failure, endedAt: await databaseTime(em) });
  await em.nativeDelete(ImportChunk, { shopId, importId: id });
  await em.nativeDelete(StoredItem, { shopId, importId: id, problems: null });
  const action = state === ImportState.CANCELLED ? AuditAction.IMPORT_CANCELLED : AuditAction.IMPORT_FINISHED;
  if (ended.startedAt) await auditImport(inside, action, ended, countsOf(ended));
}

/** Ends an import that cannot go on, with a sentence that says why. Does nothing when it has ended. */
export async function failImport(em: EntityManager, { shopId, id }: RowKey, failure: string): Promise<void> {
  await transactional(em, async (inside) => {
    const failed = await lockImport(inside, shopId, id);
    const operation = { em: inside, shop: { id: shopId }, actor: failed.actor as Actor };
    if (!failed.endedAt) await endImport(operation, failed, ImportState.FAILED, failure);
  });
}

/**
 * Stores a piece of the file. Storing it again replaces it.
 *
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when it does not have its size; INVALID_STATE after the upload
 */
export async function storeChunk(operation: Operation, id: string, number: number, data: Buffer): Promise<void> {
  await inTransaction(operation, async ({ em, shop }) => {
    const { fileSize } = await lockImport(em, shop.id, id, [ImportState.UPLOADING]);
    const size = Math.min(CHUNK_SIZE, fileSize - number * CHUNK_SIZE);
    if (data.length !== size) {
      const message =
        size > 0
          ? `Must have ${size} bytes: pieces have ${CHUNK_SIZE}, the last has the rest`
          : "Is beyond the end of the file";
      throw invalidInput([{ in: "body", path: "", code: "invalid_value", message }]);
    }
    await em.upsert(ImportChunk, { shopId: shop.id, importId: id, number, data });
  });
}

const checkSchema = z.looseObject({
  encoding: z.enum(chosenEncodings).nullish(),
  language: text({ max: 35 }).nullish(),
});

/**
 * Checks the uploaded file, or checks it again with other answers. A job does the work.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND; INVALID_STATE before the upload is complete, and once it has started
 */
export async function requestCheck(operation: Operation, id: string, chosenFormat: CheckImportInput): Promise<void> {
  parseInput(checkSchema, chosenFormat);
  await inTransaction(operation, async ({ em, shop }) => {
    const key = { shopId: shop.id, id };
    const before = [ImportState.UPLOADING, ImportState.CHECKED];
    const { fileSize } = await lockImport(em, shop.id, id, before);
    const missing = Math.ceil(fileSize / CHUNK_SIZE) - (await em.count(ImportChunk, { shopId: shop.id, importId: id }));
    if (missing > 0) throw new AppError("INVALID_STATE", `The upload is incomplete: ${missing} pieces are missing`);
    await em.nativeUpdate(Import, key, { state: ImportState.CHECKING, chosenFormat });
    await addImportJob(em, CHECK_IMPORT, key);
  });
}

const startSchema = z.strictObject({
  existing: z.enum(ExistingRecords),
  stock: z.enum(ImportedStock),
  sendWebhooks: z.boolean(),
});

/**
 * Starts a checked import. Jobs do the work.
 *
 * @throws AppError NOT_FOUND; INVALID_STATE unless it is checked and has records without problems
 */
export async function startImport(operation: Operation, id: string, request: StartImportInput): Promise<void> {
  const input = parseInput(startSchema, request);
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const key = { shopId: shop.id, id };
    const started = await lockImport(em, shop.id, id, [ImportState.CHECKED]);
    if (started.format!.questions.length > 0) {
      throw new AppError("INVALID_STATE", "The file has open questions", { hint: "Answer them with checkImport." });
    }
    if (started.itemCount === started.faultyCount) {
      throw new AppError("INVALID_STATE", "The file has no records without problems");
    }
    const { permissions: _, ...actor } = inside.actor;
    const { sendWebhooks: sendsWebhooks, ...choices } = input;
    const startedAt = await databaseTime(em);
    await em.nativeUpdate(Import, key, { ...choices, sendsWebhooks, actor, state: ImportState.RUNNING, startedAt });
    await em.nativeDelete(ImportChunk, { shopId: shop.id, importId: id });
    await addImportJob(em, RUN_IMPORT, key);
    const details = {
      kind: started.kind,
      records: String(started.itemCount - started.faultyCount),
      ...choices,
      sendWebhooks: String(sendsWebhooks),
    };
    await auditImport(inside, AuditAction.IMPORT_STARTED, started, details);
  });
}

/**
 * Cancels an import. Does nothing when it has ended.
 *
 * @throws AppError NOT_FOUND
 */
export async function cancelImport(operation: Operation, id: string): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const cancelled = await lockImport(inside.em, inside.shop.id, id);
    if (!cancelled.endedAt) await endImport(inside, cancelled, ImportState.CANCELLED);
  });
}

/** Locks an import until the transaction ends. @throws AppError NOT_FOUND; INVALID_STATE in another state */
export async function lockImport(
  em: EntityManager,
  shopId: string,
  id: string,
  states?: readonly ImportState[],
): Promise<Import> {
  const found = isId(id)
    ? await em.findOne(Import, { shopId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    : null;
  if (!found) throw new AppError("NOT_FOUND", "Import not found");
  if (states && !states.includes(found.state)) {
    throw new AppError("INVALID_STATE", `The import is ${found.state}, not ${states.join(" or ")}`);
  }
  return found;
}

/** The counts of an import, for the audit log. */
export function countsOf(ended: Import): AuditDetails {
  const { kind, createdCount, updatedCount, unchangedCount, refusedCount } = ended;
  const counts = { created: createdCount, updated: updatedCount, unchanged: unchangedCount, refused: refusedCount };
  return { kind, ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)])) };
}

async function auditImport(
  operation: Operation<ShopKey>,
  action: AuditAction,
  { id, fileName }: Import,
  details: AuditDetails,
): Promise<void> {
  await recordAudit(operation, { action, target: { id, name: fileName }, details });
}
