import { open } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { operator } from "../../core/access/actor.ts";
import type { Operation } from "../../core/access/operation.ts";
import { requireOpen } from "../../core/access/permissions.ts";
import {
  cancelImport,
  countsOf,
  createImport,
  requestCheck,
  startImport,
  storeChunk,
} from "../../core/imports/change-import.ts";
import { checkFile } from "../../core/imports/check/check-file.ts";
import { customerColumns, productColumns } from "../../core/csv/columns.ts";
import { fieldOf } from "../../core/imports/formats/column-names.ts";
import { chosenEncodings } from "../../core/imports/formats/encodings.ts";
import { listItems } from "../../core/imports/read-imports.ts";
import { runBatch } from "../../core/imports/run-import.ts";
import { Import, type ChosenFormat } from "../../core/model/imports/import.entity.ts";
import {
  DecimalMark,
  EmptyCells,
  ExistingRecords,
  ImportedStock,
  ImportSource,
  ImportState,
  type ImportKind,
  type ImportQuestion,
} from "../../core/model/imports/import.enums.ts";
import { CHUNK_SIZE, type ImportMapping } from "../../core/model/imports/imported.ts";
import { MAX_LIMIT } from "../../core/model/page.ts";
import type { RowKey } from "../../core/queries/row-key.ts";
import { requireShop } from "../../core/shops/shops.ts";
import { updateShop } from "../../core/shops/update-shop.ts";
import { OperatorError } from "../../platform/errors.ts";
import { progress, requireChoices } from "../../platform/terminal.ts";
import { runOnce } from "../open-app.ts";
import { printRow, type OutputOptions } from "../output.ts";

interface ImportOptions extends OutputOptions {
  shop: string;
  existing: string;
  stock?: string;
  decimalMark?: string;
  tax?: string;
  encoding?: string;
  source?: string;
  /** Such as "sku=Code". */
  column?: string[];
  emptyCells: string;
  /** False with `--no-webhooks`. */
  webhooks: boolean;
  /** Imports the other records if some have problems. */
  yes?: true;
  /** Fails if a record was left out. */
  strict?: true;
}

/** The interval of messages about the progress. Milliseconds. */
const INTERVAL = 2_000;

/**
 * Checks a file, prints its problems, imports it and prints the report. Works without a worker. A worker continues an
 * import that was interrupted.
 */
export function importFile(kind: ImportKind, file: string, options: ImportOptions): Promise<void> {
  const { existing, stock = ImportedStock.LEAVE, webhooks, json } = options;
  const chosen = chooseFormat(options);
  requireChoices("--existing", [existing], Object.values(ExistingRecords));
  requireChoices("--stock", [stock], Object.values(ImportedStock));
  requireChoices("--tax", options.tax ? [options.tax] : [], ["INCLUDED", "EXCLUDED"]);
  return runOnce(async ({ core: { orm } }, _config, signal) => {
    const { em } = orm;
    const operation = { em, shop: await requireShop(em, options.shop), actor: operator };
    requireOpen(operation.shop);
    const id = await uploadFile(operation, kind, file);
    const key = { shopId: operation.shop.id, id };
    await requestCheck(operation, id, chosen);
    let checked = await check(em, key, signal);
    if (options.column && checked.format) {
      await requestCheck(operation, id, { ...chosen, mapping: mapColumns(checked, options.column) });
      checked = await check(em, key, signal);
    }
    await requireUsable(operation, checked, options);
    if (options.tax) await updateShop(operation, { pricesIncludeTax: options.tax === "INCLUDED" });
    const choices = { existing: existing as ExistingRecords, stock: stock as ImportedStock };
    await startImport(operation, id, { ...choices, sendWebhooks: webhooks });
    await run(em, key, signal);
    const ended = await readState(em, key);
    for (const { row, message } of ended.refusals) progress(`Row ${row} is refused: ${message}`);
    printRow({ id, state: ended.state, ...countsOf(ended), leftOut: String(ended.faultyCount) }, { json });
    if (ended.failure !== null) throw new OperatorError(ended.failure);
    if (options.strict && ended.faultyCount + ended.refusedCount > 0) process.exitCode = 1;
  });
}

function chooseFormat({ decimalMark, encoding, source, emptyCells }: ImportOptions): ChosenFormat {
  requireChoices("--decimal-mark", decimalMark ? [decimalMark] : [], Object.values(DecimalMark));
  requireChoices("--encoding", encoding ? [encoding] : [], chosenEncodings);
  requireChoices("--source", source ? [source] : [], Object.values(ImportSource));
  requireChoices("--empty-cells", [emptyCells], Object.values(EmptyCells));
  const language = process.env.LANG?.split(/[_.]/)[0];
  return { decimalMark, encoding, source, emptyCells, language } as ChosenFormat;
}

/** The columns that were recognized, but for the given fields. */
function mapColumns({ kind, format }: Import, given: readonly string[]): ImportMapping[] {
  const { columns, mapping } = format!;
  const chosen = given.map((text) => {
    const [name = "", ...rest] = text.split("=");
    requireChoices("--column", [name], fieldNames[kind]);
    requireChoices(`--column ${name}`, [rest.join("=")], columns);
    return { field: fieldOf(name), column: columns.indexOf(rest.join("=")) };
  });
  return [...mapping.filter(({ field }) => !chosen.some((each) => each.field === field)), ...chosen];
}

const fieldNames = { PRODUCTS: productColumns, CUSTOMERS: customerColumns };

/** Uploads a file in pieces. Returns the import's id. */
async function uploadFile(operation: Operation, kind: ImportKind, path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const id = await createImport(operation, { kind, fileName: basename(path), fileSize: size });
    for (let number = 0; number * CHUNK_SIZE < size; number += 1) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_SIZE), 0, CHUNK_SIZE, number * CHUNK_SIZE);
      await storeChunk(operation, id, number, buffer.subarray(0, bytesRead));
    }
    return id;
  } finally {
    await file.close();
  }
}

/** Checks the file, or waits for a worker that has begun to. */
async function check(em: EntityManager, key: RowKey, signal: AbortSignal): Promise<Import> {
  await checkFile(em, key, signal);
  for (;;) {
    const found = await readState(em, key);
    if (found.state !== ImportState.CHECKING) return found;
    await wait(INTERVAL, undefined, { signal });
  }
}

/** Prints the problems of a checked file. @throws OperatorError when it is not to be imported */
async function requireUsable(operation: Operation, checked: Import, { yes, tax }: ImportOptions): Promise<void> {
  const { id, shopId, failure, format, faultyCount, itemCount } = checked;
  if (failure !== null) throw new OperatorError(failure);
  const items = await listItems(operation.em, checked, { areFaulty: true, after: 0, limit: MAX_LIMIT });
  for (const { row, column, value, message, remedy } of items.flatMap(({ problems }) => problems)) {
    const cell = [column, value && JSON.stringify(value)].filter(Boolean).join(" ");
    progress(`Row ${row}${cell && `, ${cell}`}: ${message} ${remedy}`);
  }
  if (faultyCount > items.length) progress(`… and ${faultyCount - items.length} more records with problems`);
  const { questions, columns, encodings, notes, unreadColumns, mapping } = format!;
  for (const { message, count, row } of notes) progress(`${message}: ${count}, the first in row ${row}`);
  if (unreadColumns.length > 0) progress(`Columns that are not imported: ${unreadColumns.join(", ")}`);
  progress(`${itemCount} records, ${faultyCount} with problems`);
  const hasPrices = mapping.some(({ field }) => field === "PRICE");
  const asksTax = hasPrices && operation.shop.defaultTaxRate === null && !tax;
  if (questions.length === 0 && !asksTax && (faultyCount === 0 || yes)) return;
  await cancelImport(operation, id);
  const samples = encodings.map(({ name, samples: texts }) => `${name}: ${texts.join(" / ")}`);
  const answers: Record<ImportQuestion, string> = {
    ENCODING: `Set --encoding to the one with the right texts.\n${samples.join("\n")}`,
    MAPPING: `Set --column for the fields, such as --column title=NAME. The file has the columns ${columns.join(", ")}`,
    DECIMAL_MARK: "Set --decimal-mark to POINT or COMMA",
  };
  const asked = questions.map((question) => answers[question]);
  if (asksTax) asked.push("Set --tax to INCLUDED or EXCLUDED: the shop has no tax rate, and the file has prices");
  if (asked.length > 0) throw new OperatorError(asked.join("\n"));
  throw new OperatorError(`Nothing was imported into ${shopId}. Mend the file, or import the other records with --yes`);
}

async function run(em: EntityManager, key: RowKey, signal: AbortSignal): Promise<void> {
  let reportedAt = performance.now();
  while ((await runBatch(em, key)) === "more") {
    signal.throwIfAborted();
    if (performance.now() - reportedAt < INTERVAL) continue;
    reportedAt = performance.now();
    const { itemCount, lastNumber } = await readState(em, key);
    progress(`${lastNumber} of ${itemCount}`);
  }
}

const readState = (em: EntityManager, key: RowKey) =>
  em.findOneOrFail(Import, { ...key }, { disableIdentityMap: true });
