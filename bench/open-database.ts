import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, type App } from "../src/app.ts";
import { startEmbeddedPostgres } from "../src/platform/embedded-postgres.ts";
import { createLogger } from "../src/platform/logger.ts";

/** What is to be taken down in the end, in the order in which it was set up. */
export type Stops = (() => Promise<void>)[];

/** An application on a database of its own. */
export interface BenchDatabase {
  app: App;
  databaseUrl: string;
  encryptionKey: Buffer;
}

/** A PostgreSQL for the run alone, with its default settings unless told: a commit waits for the disk. */
export async function openPostgres(
  stops: Stops,
  settings: Record<string, string> = {},
): Promise<(name: string) => Promise<BenchDatabase>> {
  const dataDir = await mkdtemp(join(tmpdir(), "merchant-api-bench-"));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, settings, onProgress: progress });
  stops.push(postgres.stop);
  return async (name) => {
    await postgres.createDatabase(name);
    const databaseUrl = postgres.url(name);
    const encryptionKey = randomBytes(32);
    const app = createBenchApp({ databaseUrl, encryptionKey, poolSize: 2 }, createLogger("silent"));
    stops.push(app.close);
    await app.migrate();
    return { app, databaseUrl, encryptionKey };
  };
}

/** The application as operators run it, but that its webhooks may go to this machine. */
export function createBenchApp(
  options: { databaseUrl: string; encryptionKey: Buffer; poolSize: number },
  logger: ReturnType<typeof createLogger>,
): App {
  return createApp(
    {
      databaseUrl: options.databaseUrl,
      databasePoolSize: options.poolSize,
      host: "127.0.0.1",
      port: 0,
      baseUrl: "http://127.0.0.1",
      graphqlIntrospection: false,
      trustedProxies: 0,
      webhooksAllowLoopback: true,
      encryptionKeys: [{ name: "bench", key: options.encryptionKey }],
    },
    logger,
  );
}

/** Takes everything down again, also when it is interrupted. */
export async function withStops(work: (stops: Stops, interruption: AbortSignal) => Promise<void>): Promise<void> {
  const stops: Stops = [];
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
  try {
    await work(stops, interruption.signal);
  } finally {
    while (stops.length > 0) await stops.pop()!();
  }
}

export function progress(message: string): void {
  console.error(`› ${message}`);
}
