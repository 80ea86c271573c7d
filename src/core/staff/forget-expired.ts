import type { Kysely } from "kysely";
import { runStatement, type Database } from "../database.ts";
import { LAST_FORGOTTEN } from "./known-device.ts";

/** At most so many rows of a table at once, so that nobody's login waits for the tidying. */
const BATCH = 1_000;

/**
 * Deletes sessions, devices and counts whose time is over. Nothing reads them any more. SQL by hand: rows that somebody
 * else deletes are skipped.
 */
export async function forgetExpired(database: Kysely<Database>): Promise<void> {
  const expired = {
    sessions: "expires_at <= now()",
    login_attempts: "window_ends_at <= now()",
    known_devices: `last_used_at <= ${LAST_FORGOTTEN}`,
  };
  for (const [table, isOver] of Object.entries(expired)) {
    const rows = `select ctid from ${table} where ${isOver} limit ${BATCH} for update skip locked`;
    await runStatement(database, `delete from ${table} where ctid = any(array(${rows}))`, []);
  }
}
