import pg from "pg";
import type { BenchDatabase, Stops } from "../open-database.ts";
import type { Run } from "../run.ts";
import { startHelper, type Helper } from "../helper.ts";
import type { ReceiverCommands } from "./receiver.ts";
import type { Settings } from "./settings.ts";
import type { WorkerCommands } from "./worker.ts";

/** What every measurement needs. */
export interface Stage extends BenchDatabase {
  settings: Settings;
  interruption: AbortSignal;
  stops: Stops;
  receiver: Helper<ReceiverCommands>;
  startWorker: (database?: BenchDatabase) => Promise<Helper<WorkerCommands>>;
  /** The environment of a helper that uses the database. */
  env: Record<string, string>;
}

/** Opens a connection that closes during cleanup, before the database stops. */
export async function connect(stage: Pick<Stage, "stops">, { databaseUrl }: Pick<BenchDatabase, "databaseUrl">) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  stage.stops.push(() => client.end());
  return client;
}

export async function setStage(settings: Settings, { stops, interruption, openDatabase }: Run): Promise<Stage> {
  const database = await openDatabase("bench");
  interruption.throwIfAborted();
  const receiver = await startHelper<ReceiverCommands>("webhooks/receiver");
  stops.push(receiver.stop);
  const nodeFlags = settings.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${settings.profile}`];
  return {
    ...database,
    settings,
    interruption,
    stops,
    receiver,
    env: envOf(database),
    startWorker: async (other = database) => {
      const worker = await startHelper<WorkerCommands>("webhooks/worker", { env: envOf(other), nodeFlags });
      stops.push(worker.stop);
      return worker;
    },
  };
}

function envOf({ databaseUrl, encryptionKey }: BenchDatabase): Record<string, string> {
  return { DATABASE_URL: databaseUrl, BENCH_KEY: encryptionKey.toString("base64") };
}
