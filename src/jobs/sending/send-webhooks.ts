import type { SendJob } from "../../core/webhooks/deliveries/send-jobs.ts";
import { EndpointRun, type EndpointRunOptions } from "./endpoint-run.ts";

/** The longest turn of an endpoint that always has something due. Milliseconds. */
const TURN = 5_000;

export interface SenderOptions {
  lease: {
    /** Answers whether this worker is now the one that sends to the endpoint. */
    acquire: (endpointId: string) => Promise<boolean>;
    release: (endpointId: string) => Promise<void>;
    holds: (endpointId: string) => boolean;
  };
  /** Connects a run to the database and the network. */
  connect: (job: SendJob) => Omit<EndpointRunOptions, "isOver">;
  /** Adds a job for what a run leaves, behind those that wait. */
  requeue: (job: SendJob) => Promise<void>;
}

/**
 * Runs the jobs that send webhooks: each sends all that is due at its endpoint, and is complete when that is recorded.
 *
 * One run at a time sends to an endpoint. A job that meets one, here or at another worker, is complete at once: whoever
 * holds the endpoint looks again after letting go of it, and so finds what that job was added for. Should that worker
 * die before, its own job is run again and sends this too.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #runs = new Map<string, EndpointRun>();
  #isStopped = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Runs a job. */
  async send(job: SendJob): Promise<void> {
    const { endpointId } = job;
    const running = this.#runs.get(endpointId);
    if (running) return running.ask();
    const { lease, connect, requeue } = this.#options;
    const end = performance.now() + TURN;
    const isTurnOver = () => this.#isStopped || performance.now() > end;
    const run = new EndpointRun({ ...connect(job), isOver: () => isTurnOver() || !lease.holds(endpointId) });
    this.#runs.set(endpointId, run);
    try {
      do {
        if (!(await lease.acquire(endpointId))) return;
        await run.sendAll().finally(() => lease.release(endpointId));
        await run.lookAgain();
        if (run.mayBeMore && isTurnOver()) return await requeue(job);
      } while (run.mayBeMore);
    } finally {
      this.#runs.delete(endpointId);
    }
  }

  /** Lets runs begin nothing more. */
  stop(): void {
    this.#isStopped = true;
  }
}
