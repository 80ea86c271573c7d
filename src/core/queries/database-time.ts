import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { kysely, runStatement } from "./database.ts";

/**
 * The moment by PostgreSQL's clock, to the millisecond. Every instant that is stored comes from it or from SQL: the
 * clocks of the processes differ, and what one of them stores another compares. Ask after taking locks, so that what
 * commits later is not older.
 */
export async function databaseTime(em: EntityManager): Promise<Date> {
  const [row] = await runStatement<{ now: Date }>(kysely(em), "select clock_timestamp() as now", []);
  return row!.now;
}

/** SQL for the same moment in each column that a statement writes. */
export const statementTime = raw<Date>("statement_timestamp()");
