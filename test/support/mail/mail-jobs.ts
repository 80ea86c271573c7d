import { query } from "../database.ts";
import { eventually } from "../eventually.ts";
import type { ReceivedMail } from "./mail-server.ts";

export interface MailJobRow {
  id: string;
  task: string;
  payload: Record<string, unknown>;
  attempts: number;
  last_error: string | null;
  key: string | null;
  /** Seconds until the job is due. */
  wait: number;
}

/** Waiting and running mail jobs, oldest first. */
export function mailJobs(databaseUrl: string): Promise<MailJobRow[]> {
  return query<MailJobRow>(
    databaseUrl,
    `select job.id, identifier as task, payload, attempts, last_error, key,
      extract(epoch from run_at - now())::float8 as wait
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = task_id
    where identifier in ('send-mail', 'send-digest') order by job.id`,
  );
}

/** Settles when no mail waits, except digests without new notices. */
export function whenNoMailWaits(databaseUrl: string): Promise<unknown> {
  return eventually(
    () => mailJobs(databaseUrl),
    (jobs) => jobs.every(({ task }) => task === "send-digest"),
  );
}

/** Makes these jobs due, as if this time had passed since they were added. */
export async function passTime(databaseUrl: string, jobs: readonly MailJobRow[], time = "0"): Promise<void> {
  await query(
    databaseUrl,
    `update graphile_worker._private_jobs set run_at = now(), created_at = created_at - $2::interval
    where id = any($1::bigint[]) and locked_at is null`,
    [jobs.map(({ id }) => id), time],
  );
}

/** The token in the link of a mail. */
export function tokenIn({ text = "" }: Pick<ReceivedMail, "text">): string {
  return /\/admin\/\w+#([\w-]{43})\s/.exec(text)![1]!;
}
