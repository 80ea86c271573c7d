import { setTimeout as wait } from "node:timers/promises";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import { startRunner, type RunnerOptions, type RunningRunner } from "./start-runner.ts";

const RESTART = 1_000;

/**
 * Runs graphile-worker's runner, and restarts it when it ends by itself, which it does when it cannot record that a job
 * is done, as during a restart of the database. That job is released like those of a dead worker, and runs again.
 */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  #runner: RunningRunner | undefined;
  #running: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Waits while the database is unavailable. @throws any other error that prevents a start */
  async start(): Promise<void> {
    this.#runner = await this.#startPatiently(isDatabaseUnavailable);
    this.#running = this.#runAndRestart();
  }

  /** Settles when the runner's connections answer. @throws when they do not, or no runner is running */
  async ping(): Promise<void> {
    if (!this.#runner) throw new Error("The job runner has not started");
    await this.#runner.ping();
  }

  /** Waits for running jobs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#runner?.stop();
    await this.#running;
  }

  async #runAndRestart(): Promise<void> {
    while (this.#runner) {
      await this.#runner.ended;
      if (this.#stopping.signal.aborted) return;
      this.#options.logger.warn("the job runner ended; restarting it");
      this.#runner = await this.#startPatiently(() => true);
    }
  }

  /** Returns undefined when stopped before a start succeeds. */
  async #startPatiently(isPassing: (error: unknown) => boolean): Promise<RunningRunner | undefined> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const runner = await startRunner(this.#options);
        if (signal.aborted) await runner.stop();
        return runner;
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#options.logger.warn({ reason: (error as Error).message }, "the job runner cannot start; retrying");
        await wait(RESTART, undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  }
}
