import { query } from "../database.ts";

/** Adds jobs of a task for different endpoints in one statement, because thousands of single ones take seconds. */
export async function addJobs(databaseUrl: string, task: string, count: number): Promise<void> {
  await query(
    databaseUrl,
    `select graphile_worker.add_jobs(array(
      select row($1::text, json_build_object('shopId', 'shop', 'endpointId', 'whe_' || n),
        null, null, null, null, null, null)::graphile_worker.job_spec from generate_series(1, $2::int) n
    ))`,
    [task, count],
  );
}
