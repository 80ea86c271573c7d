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
import { isDatabaseUnavailable } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { IDLE_TIMEOUT } from "../platform/postgres/orm.ts";
import { openPool } from "../platform/postgres/open-pool.ts";
import { watchPool } from "../platform/postgres/watch-pool.ts";

/** Jobs that run at a time: each sends to one endpoint. */
const CONCURRENCY = 200;
const CONNECTIONS = 10;
/** Jobs fetched at a time. */
const LOCAL_QUEUE = 500;
const POLL_INTERVAL = 1_000;
/** Milliseconds. */
const BATCH_DELAY = 10;
const RESTART = 1_000;
const CONNECTION_TIMEOUT = 3_000;
/** The time in which a runner has fetched jobs for the first time, if there were any or not. */
const FIRST_FETCH = 10_000;
/**
 * Jobs are looked for in the order of their index, one by one: what is done is marked there when it is met, and skipped
 * from then on. Otherwise PostgreSQL may go through all jobs, or all that were done since the last vacuum, at each fetch.
 * It plans graphile-worker's prepared statements at each call: a plan that is kept is one for an empty table, as it is
 * mostly, and sends 10,000 deliveries in 18 s instead of 3.
 */
const SETTINGS = { enable_seqscan: "off", enable_bitmapscan: "off", plan_cache_mode: "force_custom_plan" };

/** Ours for those of graphile-worker, which tells at its `info` of every job, and so of every event. */
const levels = { error: "error", warning: "warn", info: "debug", debug: "trace" } as const;

export interface JobRunnerOptions {
  url: string;
  tasks: TaskList;
  crons: CronItem[];
  /** A runner begins, by this name: whatever it locks, it locks by it. */
  onStart: (name: string) => void;
  logger: Logger;
  metrics: Metrics;
  /** The longest that a job waits whose time has come, for nobody notifies of that. Milliseconds; a second unless told. */
  pollInterval?: number;
}

/**
 * The runner of graphile-worker, started again when it ends by itself. It does so when it cannot record that a job is
 * done, as when the database is restarted. That job is freed like those of a worker that died, and runs once more.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #stopping = new AbortController();
  #runner: Runner | undefined;
  #running: Promise<void> | undefined;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  /** @throws what keeps it from starting, unless it is that the database is away: then it waits */
  async start(): Promise<void> {
    this.#runner = await this.#startPatiently(isDatabaseUnavailable);
    this.#running = this.#keepRunning();
  }

  /** Lets running jobs finish. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // One that has ended by itself objects to being stopped.
    await this.#runner?.stop().catch(() => undefined);
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    while (this.#runner) {
      await this.#runner.promise.catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      this.#options.logger.warn("the runner of jobs ended; it is started again");
      this.#runner = await this.#startPatiently(() => true);
    }
  }

  /** Undefined when it is stopped before. */
  async #startPatiently(isPassing: (error: unknown) => boolean): Promise<Runner | undefined> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const runner = await this.#run();
        if (signal.aborted) await runner.stop();
        return runner;
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#options.logger.warn({ err: error }, "jobs cannot be run now");
        await wait(RESTART, undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async #run(): Promise<Runner> {
    const { url, tasks, crons, logger, metrics, pollInterval = POLL_INTERVAL } = this.#options;
    const pool = openPool(
      {
        connectionString: withSettings(url, SETTINGS),
        max: CONNECTIONS,
        idleTimeoutMillis: IDLE_TIMEOUT,
        connectionTimeoutMillis: CONNECTION_TIMEOUT,
        application_name: "merchant-api jobs",
      },
      logger,
    );
    watchPool(metrics, "jobs", pool);
    const close = () => void pool.end().catch(() => undefined);
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => this.#options.onStart(workerPool.id));
    try {
      const runner = await run({
        pgPool: pool,
        events,
        preset: {
          worker: {
            concurrentJobs: CONCURRENCY,
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
          // It advises a connection for each job; ours use the application's pool instead.
          if (message.includes("maxPoolSize")) return;
          logger[levels[level]]({ label: scope.label, jobId: scope.jobId, err: meta?.error }, message);
        }),
      });
      endUnlessFetching(runner);
      runner.promise.then(close, close);
      return runner;
    } catch (error) {
      close();
      throw error;
    }
  }
}

/**
 * Ends a runner that does not come to fetch jobs: graphile-worker 0.18 keeps the failure of its first look-up of tasks, as
 * when the database is slow then, and fetches nothing for good.
 */
function endUnlessFetching(runner: Runner): void {
  const end = () => void runner.stop("no jobs could be fetched").catch(() => undefined);
  const timer = setTimeout(end, FIRST_FETCH).unref();
  const forget = () => clearTimeout(timer);
  runner.events.once("localQueue:getJobs:complete", forget);
  runner.promise.then(forget, forget);
}
