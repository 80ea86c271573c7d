import { onNodes, query } from "../database.ts";
import { eventually } from "../eventually.ts";

/** Counts statements like `pattern` that wait for a lock in this database. On a cluster they wait on the worker nodes. */
export async function lockWaits(databaseUrl: string, pattern = "%"): Promise<number> {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`;
  const found = await Promise.all((await onNodes(databaseUrl)).map((url) => query(url, waiting, [pattern])));
  return found.flat().length;
}

/** Waits until a statement waits for a lock. */
export async function untilBlocked(databaseUrl: string): Promise<void> {
  await eventually(
    () => lockWaits(databaseUrl),
    (count) => count > 0,
  );
}
