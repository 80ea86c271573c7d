import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { kysely, prepared } from "./database.ts";

/**
 * The moment by PostgreSQL's clock, to the millisecond. Every instant that is stored comes from it or from SQL: the
 * clocks of the processes differ, and what one of them stores another compares. Ask after taking locks, so that what
 * commits later is not older.
 */
export async function databaseTime(em: EntityManager): Promise<Date> {
  const build = () => kysely(em).selectNoFrom(sql<Date>`clock_timestamp()`.as("now"));
  const [row] = await prepared(kysely(em), "time", {}, build);
  return row!.now;
}

/** SQL for the same moment in each column that a statement writes. */
export const statementTime = raw<Date>("statement_timestamp()");
