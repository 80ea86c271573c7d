// Text, since advisory locks, databases and settings of functions are made on separate connections, without a query
// builder.

export const lockMigrate = "select pg_advisory_lock(hashtext('merchant-api migrate'))";
export const lockCluster = "select pg_try_advisory_lock(hashtext('merchant-api owner')) as held";
export const findVersion =
  "select current_setting('server_version_num')::int as number, current_setting('server_version') as name";
export const findDatabase = "select 1 from pg_database where datname = $1";
export const createDatabase = (quotedName: string) => `create database ${quotedName}`;

/**
 * Fixes the plans of the function that adds jobs, which runs in each change that has an event. They are kept, because
 * planning takes longer than running them. PostgreSQL makes them while the table of jobs is almost empty, and would read
 * all waiting jobs for each new one. Only a bitmap scan is left, which needs a condition on an index.
 */
export const fixPlansOfAddJobs = `alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean)
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off`;

/** Stores a digest beside the name of the next migration, as a default, because MikroORM inserts only the name. */
export const defaultDigest = (digest: string) =>
  `alter table migrations add column if not exists digest text, alter column digest set default '${digest}'`;
