import { Counts } from "../../platform/counts.ts";
import { isDatabaseUnavailable } from "../../platform/errors.ts";
import { BUSY } from "../../core/webhooks/events/record-event.sql.ts";
import type { SendJob } from "../../core/webhooks/jobs/send-jobs.sql.ts";
import type { OwnFault } from "../transport/failures.ts";
import type { WorkerSession } from "../worker-session.sql.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { DeliveryLoop, MAX_AT_ONCE, type LoopServices } from "./delivery-loop.ts";
import type { DueDeliveries, ReadRequest } from "./read-due-deliveries.sql.ts";
import { Batches, Turns } from "./turns.ts";

/** Jobs at a time. Each costs memory alone, so that none waits for those of receivers that hang. */
export const PLACES = 10_000;
/** Running attempts, in total and per shop, from which each endpoint is limited to one instead of twenty. */
const ATTEMPTS = 4_000;
const SHOP_ATTEMPTS = 200;
/** The most running attempts. One holds some 80 kB and a socket. */
const MAX_IN_FLIGHT = 8_000;
/** Results that wait to be recorded, in total and per shop, from which no attempt starts. One holds up to 13 kB. */
const RESULTS = 10_000;
const SHOP_RESULTS = 2_000;

/** Statements of a kind at a time, so that other tasks find a connection. */
const STATEMENTS = 4;
/** Loops that wait for their turn, from which no more deliveries are read, so that none waits for long. */
const READ_AHEAD = 25;
/** Endpoints and results of a statement. */
const ENDPOINTS = 25;
const MAX_RECORDED = 200;

/** The longest run of a job, because graphile-worker considers a job lost after four hours. Milliseconds. */
const LONGEST_RUN = 3_600_000;
/** The time until the next run after a fault of this process, and while the shop's node of a cluster is down. Seconds. */
const POSTPONED = 10;

type Lease = Pick<WorkerSession, "acquire" | "release" | "holds" | "haveEnded">;

/** What sending needs of the database and the network. */
export interface SendingServices extends Pick<LoopServices, "failUndeliverable" | "attempt" | "postpone"> {
  /** Reads for endpoints of one shop. */
  read: (requests: readonly ReadRequest[]) => Promise<DueDeliveries[]>;
  /** Records all results of one shop, or none. Waits while the database is unavailable. */
  record: (results: readonly AttemptResult[]) => Promise<void>;
  /** Adds a job for the remaining deliveries, after waiting jobs, in this number of seconds. */
  requeue: (job: SendJob, seconds: number) => Promise<void>;
  reportFault: (job: SendJob, fault: OwnFault) => void;
}

/**
 * Runs the jobs that send webhooks. Each sends everything that is due at its endpoint, and completes when that is
 * recorded.
 *
 * One loop at a time sends to an endpoint. A job that finds a loop running, in this or another worker, completes at
 * once: the loop checks again after it releases the endpoint, and so finds what the job was added for. If the loop's
 * worker dies first, its own job runs again and sends it.
 *
 * What a loop asks of the database is asked for all that wait, and shops take turns for statements and for starting
 * attempts.
 */
export class Sender {
  /** The running loops by endpoint. */
  readonly loops = new Map<string, DeliveryLoop>();
  readonly #lease: Lease;
  readonly #services: SendingServices;
  readonly #reads: Batches<ReadRequest, DueDeliveries>;
  readonly #records: Batches<AttemptResult & { shopId: string }, void>;
  readonly #starts = new Turns<DeliveryLoop>();
  #isStarting = false;
  readonly #attempts = new Counts();
  #isStopped = false;

  constructor(lease: Lease, services: SendingServices) {
    this.#lease = lease;
    this.#services = services;
    this.#reads = new Batches({
      serve: services.read,
      most: ENDPOINTS,
      statements: STATEMENTS,
      isOpen: () => this.#starts.size < READ_AHEAD,
    });
    this.#records = new Batches({
      serve: (results) => services.record(results).then(() => []),
      most: MAX_RECORDED,
      statements: STATEMENTS,
      isComing: (shopId) => this.#attempts.of(shopId) + this.#starts.of(shopId) > 0,
    });
  }

  /** Runs a job. A repeated one has run before, in a worker that died. */
  async send(job: SendJob, isRepeated = false): Promise<void> {
    try {
      const isLast = job.until === undefined || (await this.#lease.haveEnded(job.until));
      const seconds = await this.#run(job, isRepeated);
      if (seconds !== undefined) await this.#services.requeue({ ...job, until: "now" }, seconds);
      else if (!isLast) await this.#services.requeue(job, 1);
    } catch (error) {
      // Jobs are on the coordinator. Retries of graphile-worker would wait for hours after a long outage of a node.
      if (!isDatabaseUnavailable(error)) throw error;
      await this.#services.requeue({ ...job, until: "now" }, POSTPONED);
    }
  }

  /**
   * Sends the due deliveries of an endpoint.
   *
   * @returns the seconds until a follow-up job; undefined without one
   */
  async #run(job: SendJob, isRepeated: boolean): Promise<number | undefined> {
    const { endpointId } = job;
    const current = this.loops.get(endpointId);
    if (current) return void current.wake();
    const startedAt = performance.now();
    const isTurnOver = () => this.#isStopped || performance.now() - startedAt > LONGEST_RUN;
    const loop = new DeliveryLoop(job, this.#servicesFor(job, isTurnOver));
    this.loops.set(endpointId, loop);
    try {
      do {
        if (!(await this.#lease.acquire(endpointId))) return loop.sent > 0 ? 1 : undefined;
        await loop.sendAll().finally(() => this.#lease.release(endpointId));
        if (loop.fault) {
          this.#services.reportFault(job, loop.fault);
          return POSTPONED;
        }
        await loop.recheck();
        if (loop.hasMore && isTurnOver()) return 0;
      } while (loop.hasMore);
      // Events may have added no job, because the endpoint was busy: see `IS_BUSY`.
      const wasBusy = loop.sent > BUSY || (loop.sent > 0 && loop.isBlocked);
      return wasBusy || isRepeated ? 1 : undefined;
    } finally {
      this.loops.delete(endpointId);
    }
  }

  #servicesFor({ shopId, endpointId }: SendJob, isTurnOver: () => boolean): LoopServices {
    const { failUndeliverable, attempt, postpone } = this.#services;
    const isCrowded = () => this.#attempts.total >= ATTEMPTS || this.#attempts.of(shopId) >= SHOP_ATTEMPTS;
    const start = () => this.#startLater();
    return {
      read: (request) => this.#reads.load(request),
      failUndeliverable,
      attempt: (delivery) => this.#attempts.during(shopId, () => attempt(delivery)).finally(start),
      record: (result) => this.#records.load({ ...result, shopId }).finally(start),
      postpone,
      isOver: () => isTurnOver() || !this.#lease.holds(endpointId),
      limit: () => (isCrowded() ? 1 : MAX_AT_ONCE),
      queue: (loop) => {
        this.#starts.add(shopId, loop);
        start();
      },
    };
  }

  /** Starts attempts of one endpoint in the next turn of the event loop, in which other work runs first. */
  #startLater(): void {
    if (this.#isStarting || this.#starts.size === 0) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      if (this.#startNext()) this.#startLater();
      this.#reads.start();
    });
  }

  /** Returns false when none may start. The next recorded result or finished attempt continues. */
  #startNext(): boolean {
    if (this.#attempts.total >= MAX_IN_FLIGHT || this.#records.waiting.size >= RESULTS) return false;
    const [loop] = this.#starts.take(1, (shopId) => this.#records.waiting.of(shopId) < SHOP_RESULTS);
    loop?.start();
    return loop !== undefined;
  }

  /** Stops loops from starting more attempts. */
  stop(): void {
    this.#isStopped = true;
  }
}
