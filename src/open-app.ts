import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApp, type App } from "./app.ts";
import { parseEncryptionKeys, type Config, type EncryptionKey } from "./config.ts";
import { startEmbeddedPostgres } from "./platform/embedded-postgres.ts";
import { createLogger } from "./platform/logger.ts";
import { progress } from "./platform/progress.ts";

/** Undoes something that was begun. */
export type Stop = () => Promise<void>;

/** Makes the app on its database, which is started where it is embedded. What is to be undone is added to `stops`. */
export async function openApp(config: Config, stops: Stop[], options: { share: boolean }): Promise<App> {
  const databaseUrl = await openDatabase(config, stops, options);
  const encryptionKeys = config.encryptionKeys ?? (await readOwnEncryptionKeys(config));
  const app = createApp({ ...config, databaseUrl, encryptionKeys }, createLogger(config.logLevel));
  stops.push(app.close);
  return app;
}

async function openDatabase(config: Config, stops: Stop[], { share }: { share: boolean }): Promise<string> {
  if (config.database.kind === "server") return config.database.url;
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, share, onProgress: progress });
  stops.push(postgres.stop);
  await postgres.createDatabase("merchant_api");
  return postgres.url("merchant_api");
}

/** With the embedded database, signing secrets may be encrypted with a key that is made at the first start. */
async function readOwnEncryptionKeys({ database, dataDir }: Config): Promise<EncryptionKey[]> {
  if (database.kind === "server") return [];
  const file = join(dataDir, "encryption-key");
  await mkdir(dataDir, { recursive: true });
  const made = `own:${randomBytes(32).toString("base64")}`;
  await writeFile(file, made, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return parseEncryptionKeys(await readFile(file, "utf8"));
}
