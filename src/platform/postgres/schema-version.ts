import { sql } from "kysely";
import type { Orm } from "./orm.ts";

/** The last migration of graphile-worker's own schema, as the installed version of it brings it. */
export const JOB_QUEUE_VERSION = 20;

const UNDEFINED_TABLE = "42P01";

/** The migrations that the database lacks of those named. It may have others: a newer version has been there. */
export async function findMissingMigrations(orm: Orm, names: readonly string[]): Promise<string[]> {
  const { applied, jobQueue } = await readVersions(orm);
  const missing = names.filter((name) => !applied.includes(name));
  return jobQueue < JOB_QUEUE_VERSION ? [`graphile-worker ${JOB_QUEUE_VERSION}`, ...missing] : missing;
}

async function readVersions(orm: Orm): Promise<{ applied: string[]; jobQueue: number }> {
  const statement = sql<{ applied: string[]; jobQueue: number }>`
    select array(select name::text from migrations) as applied,
      (select coalesce(max(id), 0) from graphile_worker.migrations) as "jobQueue"`;
  try {
    const { rows } = await statement.execute(orm.em.getKysely());
    return rows[0]!;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return { applied: [], jobQueue: 0 };
    throw error;
  }
}
