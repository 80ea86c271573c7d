import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createApp, type App } from "../src/app.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../src/platform/postgres/embedded-postgres.ts";
import { createLogger } from "../src/platform/telemetry/logger.ts";

/** The cleanup steps, in the order of setup. */
export type Stops = (() => Promise<unknown>)[];

/** An application with its own database. */
export interface BenchDatabase {
  app: App;
  databaseUrl: string;
  encryptionKey: Buffer;
}

type Postgres = Pick<EmbeddedPostgres, "url" | "createDatabase">;

/** Opens a PostgreSQL for the run: the one at this address, or its own, where commits wait for the disk too. */
export async function openPostgres(
  stops: Stops,
  address: string | undefined,
  settings: Record<string, string> = {},
): Promise<{ version: string; openDatabase: (name: string) => Promise<BenchDatabase> }> {
  const postgres = address === undefined ? await startOwn(stops, settings) : serverAt(address, stops);
  const [row] = await queryOnce(address ?? postgres.url("postgres"), "show server_version");
  const openDatabase = async (name: string): Promise<BenchDatabase> => {
    await postgres.createDatabase(name);
    const databaseUrl = postgres.url(name);
    const encryptionKey = randomBytes(32);
    const app = createBenchApp({ databaseUrl, encryptionKey, poolSize: 2 }, createLogger("silent"));
    stops.push(app.close);
    await app.migrate();
    return { app, databaseUrl, encryptionKey };
  };
  return { version: String(row!.server_version), openDatabase };
}

/** Runs a statement on a separate connection, without the time-outs of the application. */
export async function queryOnce(address: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}

/** Does the work of autovacuum, so that every turn starts with the same tables. */
export async function settle({ databaseUrl }: Pick<BenchDatabase, "databaseUrl">): Promise<void> {
  await queryOnce(databaseUrl, "vacuum analyze");
}

async function startOwn(stops: Stops, settings: Record<string, string>): Promise<Postgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "merchant-api-bench-"));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const starting = startEmbeddedPostgres({ dataDir, settings, onProgress: progress });
  // An interruption may come while it starts.
  stops.push(() => starting.then(({ stop }) => stop()));
  return starting;
}

/** Uses a running server with its own settings. The run's databases are dropped at the end. */
function serverAt(address: string, stops: Stops): Postgres {
  const run = `bench_${randomBytes(4).toString("hex")}`;
  const url = (name: string) => Object.assign(new URL(address), { pathname: `/${run}_${name}` }).href;
  return {
    url,
    createDatabase: async (name) => {
      await queryOnce(address, `create database ${run}_${name}`);
      stops.push(() => queryOnce(address, `drop database ${run}_${name} with (force)`));
    },
  };
}

/** Creates the application as operators run it, except that webhooks may go to this machine. */
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
      shutdownDelay: 0,
      baseUrl: "http://127.0.0.1",
      graphqlIntrospection: false,
      trustedProxies: 0,
      webhooksAllowLoopback: true,
      egress: {},
      mail: undefined,
      encryptionKeys: [{ name: "bench", key: options.encryptionKey }],
    },
    logger,
  );
}

/**
 * Runs `work`, then its cleanup steps in reverse order. An interruption does not wait for the work, which may take
 * minutes, because its sender may soon kill the process and leave PostgreSQL running.
 */
export async function withCleanup(work: (stops: Stops, interruption: AbortSignal) => Promise<void>): Promise<void> {
  const stops: Stops = [];
  const interruption = new AbortController();
  const interrupted = new Promise<void>((resolve) => interruption.signal.addEventListener("abort", () => resolve()));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interruption.abort());
  const working = work(stops, interruption.signal);
  try {
    await Promise.race([working, interrupted]);
  } finally {
    working.catch(() => undefined);
    while (stops.length > 0) await stops.pop()!().catch((error: Error) => progress(error.message));
    if (interruption.signal.aborted) process.exit(1);
  }
}

export function progress(message: string): void {
  console.error(`› ${message}`);
}
