import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/platform/embedded-postgres.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createApp } from "../../src/app.ts";
import { testConfig } from "./config.ts";
import { query, TEMPLATE_DATABASE, usePostgres } from "./database.ts";

let postgres: EmbeddedPostgres;

/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
export async function mochaGlobalSetup(): Promise<void> {
  const { TEST_DATABASE_URL } = process.env;
  postgres = TEST_DATABASE_URL === undefined ? await startOwn() : serverAt(TEST_DATABASE_URL);
  await postgres.createDatabase(TEMPLATE_DATABASE);
  const app = createApp(testConfig(postgres.url(TEMPLATE_DATABASE)), createLogger("silent"));
  await app.migrate();
  await app.close();
  usePostgres(postgres);
}

export async function mochaGlobalTeardown(): Promise<void> {
  await postgres.stop();
}

async function startOwn(): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "merchant-api-test-"));
  // Nothing of a test survives it: durability would only cost time.
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  const own = await startEmbeddedPostgres({ dataDir, settings });
  const stop = async () => {
    await own.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...own, stop };
}

/** A server that runs already, on which nothing of ours is yet. */
function serverAt(address: string): EmbeddedPostgres {
  const url = (database: string) => Object.assign(new URL(address), { pathname: `/${database}` }).href;
  return {
    url,
    createDatabase: async (database) => void (await query(url("postgres"), `create database ${database}`)),
    stop: async () => undefined,
  };
}
