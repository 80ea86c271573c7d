import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { kysely, prepared } from "./database.ts";

/**
 * The current time of PostgreSQL, in milliseconds. All stored times come from it or from SQL, because the clocks of
 * processes differ. Call it after taking locks, so that later commits have later times.
 */
export async function databaseTime(em: EntityManager): Promise<Date> {
  const build = () => kysely(em).selectNoFrom(sql<Date>`clock_timestamp()`.as("now"));
  const [row] = await prepared(kysely(em), "time", {}, build);
  return row!.now;
}

/** SQL for the same time in every column that a statement writes. */
export const statementTime = sql<Date>`statement_timestamp()`;
