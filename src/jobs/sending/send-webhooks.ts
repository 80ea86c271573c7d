import type { SendJob } from "../../core/webhooks/deliveries/send-jobs.ts";
import { Counts } from "../../platform/counts.ts";
import { EndpointRun, type EndpointRunOptions } from "./endpoint-run.ts";

/**
 * Endpoints that a worker sends to at a time. Waiting for a receiver takes one of these places: memory and a socket, so there
 * are thousands of them.
 */
export const PLACES = 2_500;
/** The places that one shop may take. It has 25 endpoints, and those that it has just deleted. */
const SHOP_PLACES = 100;
/** Attempts under way, in all and of one shop, from which on each endpoint has one at a time instead of twenty. */
const ATTEMPTS = 4_000;
const SHOP_ATTEMPTS = 200;

/** The turn of an endpoint that always has something due, while there are few places left. Milliseconds. */
const TURN = 5_000;
const CROWDED = 0.8 * PLACES;
/** The longest run in any case: graphile-worker takes a job that lasts four hours for lost. Milliseconds. */
const LONGEST_RUN = 3_600_000;
/** The time until the next run after a fault of ours, or of a shop that has no place left. Seconds. */
const POSTPONED = 10;

export interface SenderOptions {
  lease: {
    /** Answers whether this worker is now the one that sends to the endpoint. */
    acquire: (endpointId: string) => Promise<boolean>;
    release: (endpointId: string) => Promise<void>;
    holds: (endpointId: string) => boolean;
  };
  /** Connects a run to the database and the network. */
  connect: (job: SendJob) => Omit<EndpointRunOptions, "isOver" | "isCrowded">;
  /** Adds a job for what a run leaves, behind those that wait, in so many seconds. */
  requeue: (job: SendJob, seconds: number) => Promise<void>;
  onFault: (job: SendJob, fault: Error) => void;
}

/**
 * Runs the jobs that send webhooks: each sends all that is due at its endpoint, and is complete when that is recorded.
 *
 * One run at a time sends to an endpoint. A job that meets one, here or at another worker, is complete at once: the run
 * looks again after letting go of the endpoint, and so finds what that job was added for. Should its worker die before, the
 * run's own job is run again and sends this too.
 */
export class Sender {
  /** The runs under way. */
  readonly places = new Counts();
  readonly #options: SenderOptions;
  readonly #attempts = new Counts();
  readonly #runs = new Map<string, EndpointRun>();
  #isStopped = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Runs a job. */
  async send(job: SendJob): Promise<void> {
    const running = this.#runs.get(job.endpointId);
    if (running) return running.ask();
    if (this.places.of(job.shopId) >= SHOP_PLACES) return this.#options.requeue(job, POSTPONED);
    await this.places.during(job.shopId, () => this.#run(job));
  }

  async #run(job: SendJob): Promise<void> {
    const { shopId, endpointId } = job;
    const { lease, connect, requeue, onFault } = this.#options;
    const startedAt = performance.now();
    const isTurnOver = () => this.#isStopped || performance.now() - startedAt > this.#turn();
    const connected = connect(job);
    const run = new EndpointRun({
      ...connected,
      attempt: (delivery) => this.#attempts.during(shopId, () => connected.attempt(delivery)),
      isOver: () => isTurnOver() || !lease.holds(endpointId),
      isCrowded: () => this.#attempts.total >= ATTEMPTS || this.#attempts.of(shopId) >= SHOP_ATTEMPTS,
    });
    this.#runs.set(endpointId, run);
    try {
      do {
        if (!(await lease.acquire(endpointId))) return;
        await run.sendAll().finally(() => lease.release(endpointId));
        if (run.fault) {
          onFault(job, run.fault);
          return await requeue(job, POSTPONED);
        }
        await run.lookAgain();
        if (run.mayBeMore && isTurnOver()) return await requeue(job, 0);
      } while (run.mayBeMore);
    } finally {
      this.#runs.delete(endpointId);
    }
  }

  #turn(): number {
    return this.places.total > CROWDED ? TURN : LONGEST_RUN;
  }

  /** Lets runs begin nothing more. */
  stop(): void {
    this.#isStopped = true;
  }
}
