import pg from "pg";
import type { BenchDatabase, Stops } from "../open-database.ts";
import type { Run } from "../run.ts";
import { startHelper, type Helper } from "../helper.ts";
import type { ReceiverCommands } from "./receiver.ts";
import type { Settings } from "./settings.ts";

/** What every measurement needs. */
export interface Stage extends BenchDatabase {
  settings: Settings;
  interruption: AbortSignal;
  stops: Stops;
  receiver: Helper<ReceiverCommands>;
  startWorker: () => Promise<Helper<Record<string, never>>>;
  /** The environment of a helper that uses the database. */
  env: Record<string, string>;
}

/** Opens a connection that closes during cleanup, before the database stops. */
export async function connect({ stops, databaseUrl }: Pick<Stage, "stops" | "databaseUrl">): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  stops.push(() => client.end());
  return client;
}

export async function setStage(settings: Settings, { stops, interruption, openDatabase }: Run): Promise<Stage> {
  const database = await openDatabase("bench");
  interruption.throwIfAborted();
  const receiver = await startHelper<ReceiverCommands>("webhooks/receiver");
  stops.push(receiver.stop);
  const env = { DATABASE_URL: database.databaseUrl, BENCH_KEY: database.encryptionKey.toString("base64") };
  const startWorker = async () => {
    const worker = await startHelper<Record<string, never>>("webhooks/worker", env);
    stops.push(worker.stop);
    return worker;
  };
  return { ...database, settings, interruption, stops, receiver, env, startWorker };
}
