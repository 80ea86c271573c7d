import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import {
  Logger as WorkerLogger,
  parseCronItems,
  run,
  type CronItem,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker";
import type { PoolClient } from "pg";
import { withSettings, openPool, watchPool } from "../platform/postgres/pool.ts";
import { logRepeated, type Logger } from "../platform/telemetry/logger.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { IDLE_TIMEOUT } from "../platform/postgres/orm.ts";
import { PLACES } from "./sending/send-webhooks.ts";
import { PING } from "./worker-session.sql.ts";

const CONNECTIONS = 10;
/** Jobs fetched at a time. */
const LOCAL_QUEUE = 500;
const POLL_INTERVAL = 1_000;
/** Milliseconds. */
const BATCH_DELAY = 10;
/** A busy machine opens connections slowly. Milliseconds. */
const CONNECTION_TIMEOUT = 10_000;
/** The time in which an ending runner must have recorded its last jobs. Milliseconds. */
const LAST_BATCH = 5_000;
/** The statement time-out. Fetching a batch of jobs takes some milliseconds. */
const STATEMENT_TIMEOUT = 5_000;
/** The interval at which the listening connection is checked. Milliseconds. */
const BEAT = 5_000;
/**
 * Fixes the plans for fetching and completing jobs, regardless of statistics: jobs are read in index order up to the
 * size of the batch, and rows with known ids are found by index. After a vacuum that found the table empty, PostgreSQL
 * would compare all jobs with each of the batch: 480 ms instead of 7 for 500 of 10,000. Index scan and sort are equally
 * discouraged, and with an equal cost for random pages the scan is cheaper. Plans are made at each call, because a
 * cached one is mostly made for an empty table.
 */
const SETTINGS = {
  enable_seqscan: "off",
  enable_indexscan: "off",
  enable_sort: "off",
  random_page_cost: "1",
  plan_cache_mode: "force_custom_plan",
};

/** SQL: adds the tasks that a runner looks up before its first fetch. */
const ADD_TASKS =
  "insert into graphile_worker._private_tasks (identifier) select unnest($1::text[]) on conflict do nothing";

/** Log levels for graphile-worker's. Its `info` reports every job, and so every event. */
const levels = { error: "error", warning: "warn", info: "debug", debug: "trace" } as const;

export interface RunnerOptions {
  url: string;
  tasks: TaskList;
  crons: CronItem[];
  /** Called with a runner's name when it starts. Its locks have this name. */
  onStart: (name: string) => void;
  logger: Logger;
  metrics: Metrics;
  /**
   * The longest delay of a job that becomes due, because PostgreSQL sends no notification for that. Milliseconds; a
   * second by default.
   */
  pollInterval?: number;
}

/** A running runner of graphile-worker. */
export interface RunningRunner {
  /** Settles when it has ended for any reason. */
  ended: Promise<void>;
  /** Settles when a connection of the runner answers. */
  ping: () => Promise<unknown>;
  /** Waits for running jobs. */
  stop: () => Promise<void>;
}

/** @throws any error that prevents a start */
export async function startRunner(options: RunnerOptions): Promise<RunningRunner> {
  const { url, tasks, crons, logger, metrics, pollInterval = POLL_INTERVAL } = options;
  const pool = openPool(
    {
      connectionString: withSettings(url, SETTINGS),
      max: CONNECTIONS,
      idleTimeoutMillis: IDLE_TIMEOUT,
      connectionTimeoutMillis: CONNECTION_TIMEOUT,
      statement_timeout: STATEMENT_TIMEOUT,
      application_name: "merchant-api jobs",
    },
    logger,
  );
  watchPool(metrics, "jobs", pool);
  const close = () => void pool.end().catch(() => undefined);
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => options.onStart(workerPool.id));
  events.on("pool:listen:success", ({ client }) => keepAsking(client));
  // graphile-worker 0.18 caches a failed first look-up of its tasks, and then never fetches jobs.
  const failure = Promise.withResolvers<void>();
  let hasFetched = false;
  events.once("localQueue:getJobs:complete", () => (hasFetched = true));
  try {
    // Leaves two connections open: one to listen on, and one for the look-up.
    await Promise.all([pool.query(ADD_TASKS, [Object.keys(tasks)]), pool.query(PING)]);
    const runner = await run({
      pgPool: pool,
      events,
      preset: {
        worker: {
          concurrentJobs: PLACES,
          pollInterval,
          localQueue: { size: LOCAL_QUEUE },
          // With batches, even of one, a failure to record a finished job ends the runner. Without, it ends the
          // process.
          completeJobBatchDelay: BATCH_DELAY,
          failJobBatchDelay: BATCH_DELAY,
        },
      },
      noHandleSignals: true,
      taskList: tasks,
      parsedCronItems: parseCronItems(crons),
      logger: forward(logger, (reason) => {
        if (hasFetched) return false;
        logger.warn({ reason }, "the job runner cannot fetch jobs");
        failure.resolve();
        return true;
      }),
    });
    void failure.promise.then(() => runner.stop().catch(() => undefined));
    const ended = untilEnded(runner);
    ended.then(close);
    // Stopping a runner that has ended throws.
    const stop = () => Promise.race([runner.stop().catch(() => undefined), ended]);
    return { ended, stop, ping: () => pool.query(PING) };
  } catch (error) {
    close();
    throw error;
  }
}

/** Logs what graphile-worker logs, except errors that are handled. */
function forward(logger: Logger, handle: (message: string) => boolean): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    // Its advice, a connection per job and a larger local queue, does not apply: our jobs use the application's pool.
    if (message.includes("maxPoolSize") || message.includes("localQueueSize")) return;
    const fields = { label: scope.label, jobId: scope.jobId, err: meta?.error };
    if (level !== "error") return void logger[levels[level]](fields, message);
    if (!handle(message)) logRepeated(logger, "error", fields, message);
  });
}

/** Notices a listening connection that is silent. */
function keepAsking(client: PoolClient): void {
  const timer = setInterval(() => void client.query(PING).catch(() => undefined), BEAT);
  client.once("end", () => clearInterval(timer));
}

/**
 * Settles when a runner has ended. graphile-worker 0.18 never ends once it failed to record two batches of finished
 * jobs, as during a restart of the database: its count of pending batches is then too low and never reaches zero.
 */
async function untilEnded(runner: Runner): Promise<void> {
  const idle = Promise.withResolvers<void>();
  for (const event of ["pool:gracefulShutdown:complete", "pool:gracefulShutdown:error"] as const) {
    runner.events.once(event, () => idle.resolve());
  }
  const ended = runner.promise.catch(() => undefined);
  await Promise.race([ended, idle.promise.then(() => wait(LAST_BATCH, undefined, { ref: false }))]);
  // Otherwise its cron schedule would continue.
  runner.stop().catch(() => undefined);
}
