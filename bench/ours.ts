import { randomBytes } from "node:crypto";
import { createLogger } from "../src/platform/telemetry/logger.ts";
import { createBenchApp } from "./open-database.ts";
import { POOL_SIZE } from "./constants.ts";
import { announce } from "./servers.ts";

// The API as `merchant-api api` runs it in production, log level included.
const app = createBenchApp(
  { databaseUrl: process.env.DATABASE_URL!, encryptionKey: randomBytes(32), poolSize: POOL_SIZE },
  createLogger("info"),
);
const { port } = await app.startApi();
announce(port);
