import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { isatty } from "node:tty";
import { destination } from "pino";
import type { App } from "../app.ts";
import { parseEncryptionKeys, type Config, type EncryptionKey } from "../config.ts";
import { startEmbeddedPostgres } from "../platform/postgres/embedded-postgres.ts";
import { readSecretFile } from "../platform/secret-file.ts";
import { createLogger, type Logger } from "../platform/telemetry/logger.ts";
import { progress } from "../platform/process/progress.ts";
import type { Stop } from "./cleanup.ts";

interface OpenOptions {
  /** Gets what undoes the opening. */
  stops: Stop[];
  /** Breaks the opening off. */
  signal: AbortSignal;
  /** Allows the embedded database to be one that another process runs. */
  share: boolean;
  /** The file descriptor that the log goes to. */
  logTo: number;
  /** Waits without end for a database that is not there yet. */
  isPatient: boolean;
}

/**
 * Makes the app on its database, which is started where it is embedded. @throws OperatorError; whatever `signal` says
 */
export async function openApp(config: Config, options: OpenOptions): Promise<App> {
  // Two thousand modules are loaded while PostgreSQL starts.
  const [databaseUrl, { createApp }] = await Promise.all([openDatabase(config, options), import("../app.ts")]);
  const encryptionKeys = config.encryptionKeys ?? (await readOwnEncryptionKeys(config));
  const app = createApp({ ...config, databaseUrl, encryptionKeys }, await openLog(config, options));
  options.stops.push(app.close);
  await app.reachDatabase({ signal: options.signal, isEndless: options.isPatient });
  options.signal.throwIfAborted();
  return app;
}

/** The log: lines of JSON, which a terminal gets in a form for people. */
async function openLog({ logLevel }: Config, { logTo }: OpenOptions): Promise<Logger> {
  if (!isatty(logTo)) return createLogger(logLevel, destination(logTo));
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

/** With the embedded database, signing secrets may be encrypted with a key that is made at the first start. */
async function readOwnEncryptionKeys({ database, dataDir }: Config): Promise<EncryptionKey[]> {
  if (database.kind === "server") return [];
  const make = () => `own:${randomBytes(32).toString("base64")}`;
  return parseEncryptionKeys(await readSecretFile(join(dataDir, "encryption-key"), make));
}
