import { setTimeout as wait } from "node:timers/promises";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import { startRunner, type RunnerOptions, type RunningRunner } from "./start-runner.ts";

const RESTART = 1_000;

/**
 * The runner of graphile-worker, started again when it ends by itself. It does so when it cannot record that a job is
 * done, as when the database is restarted. That job is freed like those of a worker that died, and runs once more.
 */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  #runner: RunningRunner | undefined;
  #running: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** @throws what keeps it from starting, unless it is that the database is away: then it waits */
  async start(): Promise<void> {
    this.#runner = await this.#startPatiently(isDatabaseUnavailable);
    this.#running = this.#keepRunning();
  }

  /** Settles when the connections of the runner answer. @throws when they do not, or there is no runner */
  async ping(): Promise<void> {
    if (!this.#runner) throw new Error("The job runner has not started");
    await this.#runner.ping();
  }

  /** Lets running jobs finish. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#runner?.stop();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    while (this.#runner) {
      await this.#runner.ended;
      if (this.#stopping.signal.aborted) return;
      this.#options.logger.warn("the job runner ended; restarting it");
      this.#runner = await this.#startPatiently(() => true);
    }
  }

  /** Undefined when it is stopped before. */
  async #startPatiently(isPassing: (error: unknown) => boolean): Promise<RunningRunner | undefined> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const runner = await startRunner(this.#options);
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
}
