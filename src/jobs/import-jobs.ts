import type { EntityManager } from "@mikro-orm/postgresql";
import { checkFile } from "../core/imports/check/check-file.ts";
import { failImport } from "../core/imports/change-import.ts";
import { addImportJob, CHECK_IMPORT, FILL_SANDBOX, RUN_IMPORT } from "../core/imports/import-jobs.sql.ts";
import { runBatch } from "../core/imports/run-import.ts";
import { SandboxState } from "../core/model/shops/shop.entity.ts";
import type { RowKey } from "../core/queries/row-key.ts";
import { endFilling, fillBatch } from "../core/sandboxes/fill-sandbox.ts";
import { isDatabaseAway } from "../platform/errors.ts";
import { inBatches } from "./batches.ts";

/** The time after which a job makes room for the imports of other shops. Milliseconds. */
const TURN = 2_000;
/** The time until a closed shop is looked at again. Seconds. */
const CLOSED_DELAY = 60;

/** Attempts that may end in an unexpected error: about four minutes. Those of killed workers count. */
const ATTEMPTS = 6;
const FAILURE =
  "An unexpected error stopped the import. Import the file again, or tell the operator of this service if it happens again.";

/** An attempt of graphile-worker at the job of an import. */
interface Attempt {
  key: RowKey;
  /** The first is 1. */
  number: number;
  signal: AbortSignal;
}

/** Checks the file of an import. When `signal` aborts, another job starts over. */
export async function checkImport(em: EntityManager, attempt: Attempt): Promise<void> {
  const { key, signal } = attempt;
  await failAtLast(em, attempt, async () => {
    try {
      await checkFile(em, key, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      await addImportJob(em, CHECK_IMPORT, key);
    }
  });
}

/** Imports records for a while. Another job continues. */
export async function runImport(em: EntityManager, attempt: Attempt): Promise<void> {
  const { key, signal } = attempt;
  await failAtLast(em, attempt, async () => {
    const startedAt = performance.now();
    let state = await runBatch(em, key);
    while (state === "more" && !signal.aborted && performance.now() - startedAt < TURN) state = await runBatch(em, key);
    if (state !== "ended") await addImportJob(em, RUN_IMPORT, key, state === "closed" ? CLOSED_DELAY : 0);
  });
}

/** Fills a sandbox for a while. Another job continues. */
export async function runFilling(em: EntityManager, attempt: Attempt): Promise<void> {
  const { key, signal } = attempt;
  const fill = async () => {
    let isMore = true;
    const turn = AbortSignal.any([signal, AbortSignal.timeout(TURN)]);
    await inBatches(turn, async () => {
      isMore = await fillBatch(em, key);
      return isMore;
    });
    if (isMore) await addImportJob(em, FILL_SANDBOX, key);
  };
  await failAtLast(em, attempt, fill, () => endFilling(em, key.shopId, SandboxState.FAILED));
}

/** Fails the import at the last attempt. The job fails too, so that its error is logged. Its next one does nothing. */
async function failAtLast(
  em: EntityManager,
  { key, number }: Attempt,
  work: () => Promise<void>,
  fail = () => failImport(em, key, FAILURE),
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (number >= ATTEMPTS && !isDatabaseAway(error)) await fail();
    throw error;
  }
}
