import { query } from "../database.ts";

/** Makes every transaction that inserts into the table fail at its commit while the work runs. */
export async function whileCommitsFail<Result>(
  databaseUrl: string,
  table: "events" | "audit_entries",
  work: () => Promise<Result>,
): Promise<Result> {
  // Separate, because Citus sends each to the nodes.
  await query(
    databaseUrl,
    "create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'Not today'; end $$",
  );
  await query(
    databaseUrl,
    `create constraint trigger refuse_row after insert on ${table} deferrable initially deferred
     for each row execute function refuse_row()`,
  );
  try {
    return await work();
  } finally {
    await query(databaseUrl, "drop function refuse_row cascade");
  }
}
