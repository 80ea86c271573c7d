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
import { withSettings } from "../platform/postgres/connection-url.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { IDLE_TIMEOUT } from "../platform/postgres/orm.ts";
import { openPool } from "../platform/postgres/open-pool.ts";
import { watchPool } from "../platform/postgres/watch-pool.ts";
import { PLACES } from "./sending/send-webhooks.ts";
import { PING } from "./worker-session.sql.ts";

const CONNECTIONS = 10;
/** Jobs fetched at a time. */
const LOCAL_QUEUE = 500;
const POLL_INTERVAL = 1_000;
/** Milliseconds. */
const BATCH_DELAY = 10;
const CONNECTION_TIMEOUT = 3_000;
/** The time in which a runner has fetched jobs for the first time, if there were any or not. */
const FIRST_FETCH = 10_000;
/** The time in which a runner that is ending writes down the last of its jobs. */
const LAST_BATCH = 5_000;
/** The time that a statement may take: to fetch a batch of jobs takes some milliseconds. */
const STATEMENT_TIMEOUT = 5_000;
/** The interval at which the connection that listens for jobs is asked whether it still answers. Milliseconds. */
const BEAT = 5_000;
/**
 * Fix the plans of fetching and completing jobs, whatever the statistics say: jobs are read in the order of their index, as
 * far as the batch goes, and rows that are known by id are found by it. After a vacuum that found the table empty PostgreSQL
 * otherwise compares all jobs with each of the batch: 480 ms instead of 7 for 500 of 10,000. To read in order, an index
 * scan and a sort are equally discouraged, and the scan is cheaper where a random page costs no more than another. A
 * plan is made at each call, as the one that is kept is mostly one for an empty table.
 */
const SETTINGS = {
  enable_seqscan: "off",
  enable_indexscan: "off",
  enable_sort: "off",
  random_page_cost: "1",
  plan_cache_mode: "force_custom_plan",
};

/** Our log level for each of graphile-worker's. Its `info` reports every job, and so every event. */
const levels = { error: "error", warning: "warn", info: "debug", debug: "trace" } as const;

export interface RunnerOptions {
  url: string;
  tasks: TaskList;
  crons: CronItem[];
  /** A runner begins, by this name: whatever it locks, it locks by it. */
  onStart: (name: string) => void;
  logger: Logger;
  metrics: Metrics;
  /** The longest that a job waits whose time has come, for nobody notifies of that. Milliseconds; a second by default. */
  pollInterval?: number;
}

/** One run of graphile-worker's runner. */
export interface RunningRunner {
  /** Settles when it has ended, by itself or not. */
  ended: Promise<void>;
  /** Settles when a connection of the runner answers. */
  ping: () => Promise<unknown>;
  /** Lets running jobs finish. */
  stop: () => Promise<void>;
}

/** @throws what keeps it from starting */
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
  events.on("pool:listen:success", ({ client }) => {
    const timer = setInterval(() => void client.query(PING).catch(() => undefined), BEAT);
    client.once("end", () => clearInterval(timer));
  });
  try {
    const runner = await run({
      pgPool: pool,
      events,
      preset: {
        worker: {
          concurrentJobs: PLACES,
          pollInterval,
          localQueue: { size: LOCAL_QUEUE },
          // In batches, even of one, a failure to write down that a job is done ends the runner; otherwise the process.
          completeJobBatchDelay: BATCH_DELAY,
          failJobBatchDelay: BATCH_DELAY,
        },
      },
      noHandleSignals: true,
      taskList: tasks,
      parsedCronItems: parseCronItems(crons),
      logger: new WorkerLogger((scope) => (level, message, meta) => {
        // It advises a connection for each job, and to fetch as many as run at a time. Ours use the application's pool.
        if (message.includes("maxPoolSize") || message.includes("localQueueSize")) return;
        logger[levels[level]]({ label: scope.label, jobId: scope.jobId, err: meta?.error }, message);
      }),
    });
    endUnlessFetching(runner);
    const ended = untilEnded(runner);
    ended.then(close);
    // One that has ended by itself objects to being stopped.
    const stop = () => Promise.race([runner.stop().catch(() => undefined), ended]);
    return { ended, stop, ping: () => pool.query(PING) };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Ends a runner that does not come to fetch jobs: graphile-worker 0.18 keeps the failure of its first look-up of tasks, as
 * when the database is slow then, and fetches nothing for good.
 */
function endUnlessFetching(runner: Runner): void {
  const end = () => void runner.stop("jobs could not be fetched").catch(() => undefined);
  const timer = setTimeout(end, FIRST_FETCH).unref();
  const forget = () => clearTimeout(timer);
  runner.events.once("localQueue:getJobs:complete", forget);
  runner.promise.then(forget, forget);
}

/**
 * Settles when a runner has ended. graphile-worker 0.18 never ends once two batches of done jobs could not be written
 * down, as when the database is restarted: it then counts one batch fewer than are under way, and waits for zero.
 */
async function untilEnded(runner: Runner): Promise<void> {
  const idle = Promise.withResolvers<void>();
  for (const event of ["pool:gracefulShutdown:complete", "pool:gracefulShutdown:error"] as const) {
    runner.events.once(event, () => idle.resolve());
  }
  const ended = runner.promise.catch(() => undefined);
  await Promise.race([ended, idle.promise.then(() => wait(LAST_BATCH, undefined, { ref: false }))]);
  // Its schedule would go on by itself.
  runner.stop().catch(() => undefined);
}
