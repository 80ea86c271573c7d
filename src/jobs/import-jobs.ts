import type { EntityManager } from "@mikro-orm/postgresql";
import { checkFile } from "../core/imports/check-file.ts";
import { addImportJob, CHECK_IMPORT, RUN_IMPORT } from "../core/imports/import-jobs.sql.ts";
import { runBatch } from "../core/imports/run-import.ts";
import type { RowKey } from "../core/queries/row-key.ts";

/** The time after which a job makes room for the imports of other shops. Milliseconds. */
const TURN = 2_000;
/** The time until a closed shop is looked at again. Seconds. */
const CLOSED_DELAY = 60;

/** Checks the file of an import. When `signal` aborts, another job begins anew. */
export async function checkImport(em: EntityManager, key: RowKey, signal: AbortSignal): Promise<void> {
  try {
    await checkFile(em, key, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    await addImportJob(em, CHECK_IMPORT, key);
  }
}

/** Imports records for a while. Another job continues. */
export async function runImport(em: EntityManager, key: RowKey, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  let state = await runBatch(em, key);
  while (state === "more" && !signal.aborted && performance.now() - startedAt < TURN) state = await runBatch(em, key);
  if (state !== "ended") await addImportJob(em, RUN_IMPORT, key, state === "closed" ? CLOSED_DELAY : 0);
}
