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
  await run(`create database ${name} template ${TEMPLATE_DATABASE}`);
  return { url: postgres.url(name), drop: () => run(`drop database ${name} with (force)`) };
}

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url("postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
