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

/** Milliseconds. */
const SAMPLE = 100;
let peak = 0;
setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE);

const commands = {
  /** The current resident memory, and the maximum since the last call. Bytes. */
  takeMemory: (): { now: number; peak: number } => {
    const now = process.memoryUsage.rss();
    const taken = { now, peak: Math.max(peak, now) };
    peak = now;
    return taken;
  },
};
export type WorkerCommands = typeof commands;

serve(commands);
