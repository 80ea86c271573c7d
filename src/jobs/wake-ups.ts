import type { Job } from "graphile-worker";
import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import { WAKE_ENDPOINTS, type WakeUp } from "../core/webhooks/wake-endpoints.ts";
import { PLANNED_EACH_TIME } from "../platform/preparing-driver.ts";
import type { Logger } from "../platform/logger.ts";

const BATCH = 1_000;

// By the public functions of graphile-worker. What a worker has fetched is left to it.
const takeJobs = `${PLANNED_EACH_TIME}
  select payload from graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs where task_identifier = '${WAKE_ENDPOINTS}' and locked_at is null limit ${BATCH}
  ))`;

export interface WakeUpsOptions {
  database: Kysely<Database>;
  wake: (wakeUp: WakeUp) => void;
  logger: Logger;
}

/**
 * Takes the wake-ups that wait, a thousand at a time, which costs a twentieth of running each as a job: so that ten
 * thousand changes at once do not keep the next one waiting. What is lost on the way costs what a lost job costs: the
 * sweep finds it within a second.
 */
export class WakeUps {
  readonly #options: WakeUpsOptions;
  #taking: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: WakeUpsOptions) {
    this.#options = options;
  }

  /** One that is run as a job. It ends with the others that are being taken: until then no more are fetched. */
  async take(wakeUp: WakeUp): Promise<void> {
    this.#options.wake(wakeUp);
    await this.#taking;
  }

  /** Until none waits any more. These have been fetched, and are heard of before they are run. */
  takeAll(fetched: readonly Pick<Job, "task_identifier" | "payload">[]): void {
    for (const { task_identifier: task, payload } of fetched) {
      if (task === WAKE_ENDPOINTS) this.#options.wake(payload as WakeUp);
    }
    this.#taking ??= this.#takeAll().finally(() => (this.#taking = undefined));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#taking;
  }

  async #takeAll(): Promise<void> {
    const { database, wake, logger } = this.#options;
    try {
      for (let taken = BATCH; taken === BATCH && !this.#isStopped;) {
        const jobs = await runStatement<{ payload: WakeUp }>(database, takeJobs, []);
        for (const { payload } of jobs) wake(payload);
        taken = jobs.length;
      }
    } catch (error) {
      logger.warn({ err: error }, "jobs could not be taken together");
    }
  }
}
