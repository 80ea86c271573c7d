import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { createBenchApp } from "../open-database.ts";
import { POOL_SIZE } from "../constants.ts";
import { serve } from "../helper.ts";

// The worker as `merchant-api worker` runs it by default.
const { DATABASE_URL: databaseUrl, BENCH_KEY: key } = process.env as Record<string, string>;
const app = createBenchApp(
  { databaseUrl: databaseUrl!, encryptionKey: Buffer.from(key!, "base64"), poolSize: POOL_SIZE },
  createLogger("info"),
);
await app.startWorker();
serve({});
