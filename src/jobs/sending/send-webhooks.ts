import type { SendJob } from "../../core/webhooks/jobs/send-jobs.sql.ts";
import { Counts } from "../../platform/counts.ts";
import { isDatabaseUnavailable } from "../../platform/errors.ts";
import { DeliveryLoop, type DeliveryServices } from "./delivery-loop.ts";

/** Endpoints that a worker sends to at a time. A place costs only memory and a socket, so there are thousands. */
export const PLACES = 2_500;
/** Places that one shop may take. A shop has up to 25 endpoints, and recently deleted ones. */
const SHOP_PLACES = 100;
/** Running attempts, in total and per shop, from which each endpoint is limited to one instead of twenty. */
const ATTEMPTS = 4_000;
const SHOP_ATTEMPTS = 200;

/** The longest run of a job, because graphile-worker considers a job lost after four hours. Milliseconds. */
const LONGEST_RUN = 3_600_000;
/**
 * The time until the next run after a fault of this process, while the shop's node of a cluster is down, or when a shop
 * has no place left. Seconds.
 */
const POSTPONED = 10;

interface Lease {
  /** Returns true when this worker now holds the endpoint. */
  acquire: (endpointId: string) => Promise<boolean>;
  release: (endpointId: string) => Promise<void>;
  holds: (endpointId: string) => boolean;
}

/**
 * Runs the jobs that send webhooks. Each sends everything that is due at its endpoint, and completes when that is
 * recorded.
 *
 * One loop at a time sends to an endpoint. A job that finds a loop running, in this or another worker, completes at
 * once: the loop checks again after it releases the endpoint, and so finds what the job was added for. If the loop's
 * worker dies first, its own job runs again and sends it.
 */
export class Sender {
  /** The running loops by shop. */
  readonly places = new Counts();
  readonly #lease: Lease;
  readonly #services: DeliveryServices;
  readonly #attempts = new Counts();
  readonly #loops = new Map<string, DeliveryLoop>();
  #isStopped = false;

  constructor(lease: Lease, services: DeliveryServices) {
    this.#lease = lease;
    this.#services = services;
  }

  /** Runs a job. */
  async send(job: SendJob): Promise<void> {
    const current = this.#loops.get(job.endpointId);
    if (current) return current.wake();
    if (this.places.of(job.shopId) >= SHOP_PLACES) return this.#services.requeue(job, POSTPONED);
    await this.places.during(job.shopId, () => this.#run(job)).catch((error: unknown) => this.#retry(job, error));
  }

  async #run(job: SendJob): Promise<void> {
    const { shopId, endpointId } = job;
    const { attempt, requeue, reportFault } = this.#services;
    const startedAt = performance.now();
    const isTurnOver = () => this.#isStopped || performance.now() - startedAt > LONGEST_RUN;
    const counted: DeliveryServices = {
      ...this.#services,
      attempt: (delivery) => this.#attempts.during(shopId, () => attempt(delivery)),
    };
    const loop = new DeliveryLoop(job, counted, {
      isOver: () => isTurnOver() || !this.#lease.holds(endpointId),
      isCrowded: () => this.#attempts.total >= ATTEMPTS || this.#attempts.of(shopId) >= SHOP_ATTEMPTS,
    });
    this.#loops.set(endpointId, loop);
    try {
      do {
        if (!(await this.#lease.acquire(endpointId))) return;
        await loop.sendAll().finally(() => this.#lease.release(endpointId));
        if (loop.fault) {
          reportFault(job, loop.fault);
          return await requeue(job, POSTPONED);
        }
        await loop.recheck();
        if (loop.hasMore && isTurnOver()) return await requeue(job, 0);
      } while (loop.hasMore);
    } finally {
      this.#loops.delete(endpointId);
    }
  }

  /** Jobs are on the coordinator. Retries of graphile-worker would wait for hours after a long outage of a node. */
  async #retry(job: SendJob, error: unknown): Promise<void> {
    if (!isDatabaseUnavailable(error)) throw error;
    await this.#services.requeue(job, POSTPONED);
  }

  /** Stops loops from starting more attempts. */
  stop(): void {
    this.#isStopped = true;
  }
}
