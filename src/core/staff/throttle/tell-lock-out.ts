import type { EntityManager } from "@mikro-orm/postgresql";
import type { Origin } from "../../context.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { COUNT_ONE, digestKey } from "./throttle-counter.ts";

/** The task of graphile-worker that tells the shops of an account that it was locked out. */
export const RECORD_LOCK_OUT = "record-lock-out";

/** The payload of its jobs: the address of the account as it was typed, and where. */
export interface LockOutJob extends Origin {
  email: string;
}

// Behind the webhooks, as mails are.
const addJob = `
  with first as (${COUNT_ONE})
  select graphile_worker.add_job('${RECORD_LOCK_OUT}', payload => $3::json, priority => 1) from first`;

/**
 * Has the shops of an account told that somebody was refused unseen: of the first attempt in a window, however many
 * follow. It does the same, and takes as long, whether or not there is such an account: the job finds out.
 */
export async function tellLockOut(
  em: EntityManager,
  { email, origin: { address, userAgent } }: { email: string; origin: Origin },
): Promise<void> {
  const job: LockOutJob = { email, address, userAgent };
  await runStatement(kysely(em), addJob, [digestKey("lock-out", email.toLowerCase()), 1, JSON.stringify(job)]);
}
