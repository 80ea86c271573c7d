import { createApp } from "../../../src/app.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import { testConfig } from "../config.ts";
import { createDatabaseOf, type TestDatabase } from "../database.ts";

/** A migrated database with a locale where the lower case of I is ı. */
export async function openTurkishDatabase(): Promise<TestDatabase> {
  const database = await createDatabaseOf("tr-TR");
  const app = createApp(testConfig(database.url), createLogger("silent"));
  await app.migrate();
  await app.close();
  return database;
}
