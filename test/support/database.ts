import { randomBytes } from "node:crypto";
import pg from "pg";
import type { EmbeddedPostgres } from "../../src/platform/embedded-postgres.ts";
import { eventually } from "./eventually.ts";

export const TEMPLATE_DATABASE = "merchant_api_template";

let postgres: EmbeddedPostgres;

export function usePostgres(server: EmbeddedPostgres): void {
  postgres = server;
}

/** A database of its own for the caller: a copy of the migrated template, unless told of another. */
export async function cloneDatabase(template = TEMPLATE_DATABASE): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await query(postgres.url("postgres"), `create database ${name} template ${template}`);
  return { url: postgres.url(name), drop: () => dropDatabase(name) };
}

/** A pool is closed a moment before its connections are: they are waited for, not torn down under their clients. */
async function dropDatabase(name: string): Promise<void> {
  const connections = async () =>
    query(postgres.url("postgres"), "select 1 from pg_stat_activity where datname = $1", [name]);
  await eventually(connections, (rows) => rows.length === 0);
  await query(postgres.url("postgres"), `drop database ${name}`);
}

/** Runs one statement on a connection of its own, as another process would. */
export async function query<Row = Record<string, unknown>>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
