// Text, since a function of graphile-worker adds jobs.
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, query } from "../queries/database.ts";
import type { RowKey } from "../queries/row-key.ts";

/** The tasks of graphile-worker that check a file, import its records, and fill a sandbox, whose id is both ids. */
export const CHECK_IMPORT = "check-import";
export const RUN_IMPORT = "run-import";
export const FILL_SANDBOX = "fill-sandbox";

/** The imports and sandboxes that all workers process at a time. Those of a shop share a queue. */
const QUEUES = 2;

// Below the priority of webhooks and mails.
const addJob = {
  name: "add import job",
  text: `select graphile_worker.add_job($1, payload => json_build_object('shopId', $2::text, 'id', $3::text),
    queue_name => 'import ' || abs(hashtext($2) % ${QUEUES}), run_at => now() + $4 * interval '1 second', priority => 4)`,
};

/** Adds a job of an import in the transaction of its cause, `delay` seconds from now. */
export async function addImportJob(
  em: EntityManager,
  task: typeof CHECK_IMPORT | typeof RUN_IMPORT | typeof FILL_SANDBOX,
  { shopId, id }: RowKey,
  delay = 0,
): Promise<void> {
  await query(kysely(em), addJob, [task, shopId, id, delay]);
}
