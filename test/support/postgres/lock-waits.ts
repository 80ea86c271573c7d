import { query } from "../database.ts";
import { eventually } from "../eventually.ts";

/** Counts statements like `pattern` that wait for a lock in this database. */
export async function lockWaits(databaseUrl: string, pattern = "%"): Promise<number> {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like $1`;
  return (await query(databaseUrl, waiting, [pattern])).length;
}

/** Waits until a statement waits for a lock. */
export async function untilBlocked(databaseUrl: string): Promise<void> {
  await eventually(
    () => lockWaits(databaseUrl),
    (count) => count > 0,
  );
}
