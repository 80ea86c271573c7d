import { randomBytes } from "node:crypto";
import pg from "pg";
import type { EmbeddedPostgres } from "../../src/platform/embedded-postgres.ts";

export const TEMPLATE_DATABASE = "merchant_api_template";

let postgres: EmbeddedPostgres;

export function usePostgres(server: EmbeddedPostgres): void {
  postgres = server;
}

/** A database of its own for the caller: a copy of the migrated template. */
export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await query(postgres.url("postgres"), `create database ${name} template ${TEMPLATE_DATABASE}`);
  return { url: postgres.url(name), drop: () => dropDatabase(name) };
}

async function dropDatabase(name: string): Promise<void> {
  await query(postgres.url("postgres"), `drop database ${name} with (force)`);
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
