import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { isatty } from "node:tty";
import { once } from "node:events";
import type { App } from "../app.ts";
import {
  environmentSchema,
  parseEncryptionKeys,
  readConfig,
  type Config,
  type EncryptionKey,
  type Use,
} from "../config.ts";
import { describe } from "../health/check.ts";
import { OperatorError } from "../platform/errors.ts";
import { startEmbeddedPostgres } from "../platform/postgres/embedded-postgres.ts";
import { readSecretFile } from "../platform/files.ts";
import { createLogger, openLog, type Logger } from "../platform/telemetry/logger.ts";
import { progress } from "../platform/terminal.ts";
import { withCleanup, type Stop } from "./cleanup.ts";
import type { Wait } from "../platform/postgres/reach-database.ts";

interface OpenOptions {
  /** Receives the steps that undo the opening. */
  stops: Stop[];
  /** Aborts the opening. */
  signal: AbortSignal;
  /** Allows using an embedded database that another process runs. */
  share: boolean;
  /** The file descriptor of the log. */
  logTo: number;
  /** The seconds to wait for the database, if not the default. */
  patience?: number | undefined;
  /** Leaves out the wait for the database. */
  isLazy?: boolean;
}

/**
 * Creates the app, and starts its database if it is embedded. @throws OperatorError; the reason of `signal` when it
 * aborts
 */
export async function openApp(config: Config, options: OpenOptions): Promise<App> {
  // Loads two thousand modules while PostgreSQL starts.
  const [databaseUrl, { createApp }] = await Promise.all([openDatabase(config, options), import("../app.ts")]);
  const encryptionKeys = config.encryptionKeys ?? (await readOwnEncryptionKeys(config));
  const app = createApp({ ...config, databaseUrl, encryptionKeys }, await startLog(config, options));
  options.stops.push(app.close);
  if (options.isLazy) return app;
  await app.reachDatabase({ signal: options.signal, patience: options.patience });
  options.signal.throwIfAborted();
  return app;
}

/** Starts the log: JSON lines, or a readable format on a terminal. */
async function startLog({ logLevel }: Config, { logTo }: OpenOptions): Promise<Logger> {
  if (!isatty(logTo)) return createLogger(logLevel, openLog(logTo));
  const { default: pretty } = await import("pino-pretty");
  return createLogger(logLevel, pretty({ sync: true, singleLine: true, destination: logTo }));
}

async function openDatabase({ database, dataDir }: Config, { stops, signal, share }: OpenOptions): Promise<string> {
  if (database.kind === "server") return database.url;
  const postgres = await startEmbeddedPostgres({ dataDir, share, onProgress: progress });
  stops.push(postgres.stop);
  signal.throwIfAborted();
  await postgres.createDatabase("merchant_api");
  return postgres.url("merchant_api");
}

/** With the embedded database, reads the encryption key that is generated at the first start. */
async function readOwnEncryptionKeys({ database, dataDir }: Config): Promise<EncryptionKey[]> {
  if (database.kind === "server") return [];
  const file = join(dataDir, "encryption-key");
  const keys = await readSecretFile(file, () => `own:${randomBytes(32).toString("base64")}`);
  const { error } = environmentSchema.shape.ENCRYPTION_KEYS.safeParse(keys);
  if (error) throw new OperatorError(`DATA_DIR: ${file} ${error.issues[0]!.message}`);
  return parseEncryptionKeys(keys);
}

/** Runs a single task with the database. Long tasks must abort on `signal`, or the process would wait for them. */
export async function runOnce(
  work: (app: App, config: Config, signal: AbortSignal) => Promise<void>,
  use: Use = "database",
  { patience }: { patience?: number | undefined } = {},
): Promise<void> {
  const config = readConfig(process.env, use);
  await withCleanup(config, async (stops, signal) => {
    // Logs go to standard error, so that standard output has only the command's result, for scripts.
    const app = await openApp(config, { stops, signal, share: true, patience, logTo: 2 });
    await Promise.race([work(app, config, signal), once(signal, "abort")]);
    signal.throwIfAborted();
  });
}

/**
 * Waits for the database and checks that this process is ready to work.
 *
 * @throws OperatorError that names what is missing, so that requests and deliveries do not fail one by one
 */
export async function refuseUnready(app: App, wait?: Wait): Promise<void> {
  for (;;) {
    const problems = await app.findProblems();
    if (problems.length === 0) return;
    if (problems.every(({ part }) => part !== "database")) {
      throw new OperatorError(problems.map(describe).join("\n"));
    }
    await app.reachDatabase(wait);
  }
}
