import { Kysely, PostgresDialect } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import { withSettings } from "../platform/connection-url.ts";
import type { Logger } from "../platform/logger.ts";
import { databaseTimeouts } from "../platform/orm.ts";
import { PreparingClient } from "../platform/preparing-driver.ts";
import { openPool } from "./open-pool.ts";

/**
 * Settings of a connection on which a statement is planned for all of its calls, and goes from row to row by index
 * whatever PostgreSQL believes of the tables. Planning anew each time takes longer than reading or writing a few hundred
 * deliveries, and a plan from when a table was empty would read all of it.
 */
export const BY_INDEX = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
};

/** The same for the rest of a transaction. */
export async function goByIndex(transaction: Kysely<Database>): Promise<void> {
  const settings = Object.entries(BY_INDEX).map(([name, value]) => `set local ${name}=${value}`);
  await runStatement(transaction, settings.join(";"), []);
}

/** The database on one such connection, made anew when it breaks. To be destroyed. */
export function openByIndex(url: string, logger: Logger): Kysely<Database> {
  const pool = openPool(
    {
      ...databaseTimeouts,
      connectionString: withSettings(url, BY_INDEX),
      max: 1,
      Client: PreparingClient,
      application_name: "merchant-api recorder",
    },
    logger,
  );
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}
