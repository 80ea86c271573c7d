import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/platform/embedded-postgres.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createApp } from "../../src/app.ts";
import { testConfig } from "./config.ts";
import { TEMPLATE_DATABASE, usePostgres } from "./database.ts";

let postgres: EmbeddedPostgres;
let dataDir: string;

/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
export async function mochaGlobalSetup(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), "merchant-api-test-"));
  // Nothing of a test survives it: durability would only cost time.
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  postgres = await startEmbeddedPostgres({ dataDir, settings });
  await postgres.createDatabase(TEMPLATE_DATABASE);
  const app = createApp(testConfig(postgres.url(TEMPLATE_DATABASE)), createLogger("silent"));
  await app.migrate();
  await app.close();
  usePostgres(postgres);
}

export async function mochaGlobalTeardown(): Promise<void> {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
