import type { SendJob } from "../../core/webhooks/jobs/send-jobs.sql.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { OwnFault } from "../transport/failures.ts";
import type { DueDelivery, DueDeliveries, ReadRequest } from "./read-due-deliveries.sql.ts";

/** Concurrent attempts at one endpoint. A receiver that hangs holds at most this number. */
export const MAX_AT_ONCE = 20;
/** Deliveries read at a time. */
const READ = 100;
/** The maximum number of deliveries read but not recorded. Beyond it, sending waits for the database. */
const MAX_UNRECORDED = 500;
/** Deliveries read longer ago are read again, because staff may have paused the endpoint. Milliseconds. */
const FRESH = 1_000;

/** What a loop needs of the database and the network. */
export interface LoopServices {
  read: (request: ReadRequest) => Promise<DueDeliveries>;
  /** Fails a batch of undeliverable deliveries. Returns true when there may be more. */
  failUndeliverable: (job: SendJob) => Promise<boolean>;
  attempt: (delivery: DueDelivery) => Promise<AttemptResult>;
  /** Settles when the result is recorded. */
  record: (result: AttemptResult) => Promise<unknown>;
  /** Postpones a delivery that could not be attempted or recorded because of a fault of this process. */
  postpone: (delivery: DueDelivery, error: unknown) => Promise<void>;
  /** True when the loop should start no more attempts. */
  isOver: () => boolean;
  /** The maximum number of concurrent attempts at an endpoint now. */
  limit: () => number;
  /** Calls `start` of the loop when it is its turn. */
  queue: (loop: DeliveryLoop) => void;
}

/** Sends an endpoint's due deliveries, several at a time, until none is left. */
export class DeliveryLoop {
  /** True when deliveries may be due that were not read. */
  hasMore = true;
  /** The fault of this process that ended the loop. Its deliveries stay due. */
  fault: OwnFault | undefined;
  /** The number of attempts started. */
  sent = 0;
  /** True when it read that the endpoint is suspended, disabled or deleted. */
  isBlocked = false;
  readonly job: SendJob;

  readonly #services: LoopServices;
  /** Deliveries read but not started. */
  #ready: DueDelivery[] = [];
  #readAt = 0;
  /** True when the deliveries being read must not be sent. */
  #isOutdated = false;
  #isQueued = false;
  /** Deliveries read but not yet recorded, by id. */
  readonly #unrecorded = new Map<string, DueDelivery>();
  #sending = 0;
  /** The maximum number of concurrent attempts: one after an open circuit, and one more with each success. */
  #allowed = MAX_AT_ONCE;
  /** True after a failed attempt until the next success, which clears the failures. */
  #isFailing = false;
  #progress = Promise.withResolvers<void>();

  constructor(job: SendJob, services: LoopServices) {
    this.job = job;
    this.#services = services;
  }

  /** Reports that something became due. */
  wake(): void {
    this.hasMore = true;
    this.#progress.resolve();
  }

  /** Settles when nothing is due or the loop is over, and every started attempt is recorded. */
  async sendAll(): Promise<void> {
    try {
      await this.#sendDue();
    } finally {
      // The loop waits for its attempts, even when reading the next deliveries failed.
      this.#forgetReady();
      while (this.#unrecorded.size > 0) await this.#progressed();
    }
  }

  async #sendDue(): Promise<void> {
    for (;;) {
      const isOver = this.#isOver();
      if (isOver || this.#isStale()) this.#forgetReady();
      this.#queue();
      const places = isOver || !this.hasMore ? 0 : this.#placesToRead();
      if (places > 0) await this.#read(places);
      else if (this.#unrecorded.size > 0) await this.#progressed();
      else return;
    }
  }

  /** Checks for deliveries that became due without a job that woke this loop. */
  async recheck(): Promise<void> {
    await this.#find(1);
  }

  /** Starts attempts, as many as the endpoint may have at once. */
  start(): void {
    this.#isQueued = false;
    // Reads again what has waited too long for its turn.
    if (this.#isStale() || this.#isOver()) return this.#progress.resolve();
    while (this.#mayStart()) void this.#send(this.#ready.shift()!);
  }

  #queue(): void {
    if (this.#isQueued || !this.#mayStart()) return;
    this.#isQueued = true;
    this.#services.queue(this);
  }

  #mayStart(): boolean {
    return this.#ready.length > 0 && this.#sending < this.#limit();
  }

  #isStale(): boolean {
    return performance.now() - this.#readAt > FRESH;
  }

  #isOver(): boolean {
    return this.fault !== undefined || this.#services.isOver();
  }

  /** The maximum number of concurrent attempts now. */
  #limit(): number {
    return Math.min(this.#allowed, this.#services.limit());
  }

  #placesToRead(): number {
    const limit = this.#limit();
    if (limit < MAX_AT_ONCE) return Math.max(0, limit - this.#sending - this.#ready.length);
    return this.#ready.length < MAX_AT_ONCE && this.#unrecorded.size < MAX_UNRECORDED ? READ : 0;
  }

  /** Reads due deliveries, except those in the loop. Fails pending ones if the endpoint cannot be sent to any more. */
  async #find(places: number): Promise<DueDelivery[]> {
    const except = [...this.#unrecorded.keys()];
    const { deliveries, ...found } = await this.#services.read({ ...this.job, places, except });
    this.isBlocked ||= found.isSuspended || found.isUndeliverable;
    if (found.hasMore || (found.isUndeliverable && (await this.#services.failUndeliverable(this.job))))
      this.hasMore = true;
    return deliveries;
  }

  async #read(places: number): Promise<void> {
    this.hasMore = false;
    this.#isOutdated = false;
    const deliveries = await this.#find(places);
    // A failed attempt may have opened the circuit in the meantime.
    if (this.#isOutdated) return this.wake();
    if (this.#ready.length === 0) this.#readAt = performance.now();
    // Events that arrive during a round must not start another round of probes.
    const isProbing = [...this.#unrecorded.values()].some(isProbe);
    for (const delivery of deliveries) {
      if (isProbing && isProbe(delivery)) continue;
      this.#unrecorded.set(delivery.id, delivery);
      this.#ready.push(delivery);
    }
  }

  #forgetReady(): void {
    this.#isOutdated = true;
    if (this.#ready.length === 0) return;
    for (const { id } of this.#ready.splice(0)) this.#unrecorded.delete(id);
    this.hasMore = true;
  }

  async #send(delivery: DueDelivery): Promise<void> {
    this.sent += 1;
    this.#sending += 1;
    let isSending = true;
    const end = () => {
      if (isSending) this.#sending -= 1;
      isSending = false;
      this.#queue();
      this.#progress.resolve();
    };
    try {
      const result = await this.#services.attempt(delivery);
      const isSuccess = result.outcome.errorClass === null;
      // It is recorded after failures that happened since its delivery was read.
      delivery.isFailing ||= this.#isFailing;
      this.#isFailing = !isSuccess;
      if (!isSuccess && !delivery.isProbe) this.#forgetReady();
      // Otherwise the place stays taken until it is known whether the result opened or closed the circuit.
      else if (!delivery.isProbe) end();
      await this.#services.record(result);
      // Deliveries that waited for the circuit to close may be sent, carefully.
      if (isSuccess && delivery.isProbe) this.hasMore = true;
      if (isSuccess) this.#allowed = delivery.isProbe ? 1 : Math.min(this.#allowed + 1, MAX_AT_ONCE);
    } catch (error) {
      if (error instanceof OwnFault) this.fault = error;
      else await this.#services.postpone(delivery, error);
    } finally {
      this.#unrecorded.delete(delivery.id);
      end();
    }
  }

  async #progressed(): Promise<void> {
    await this.#progress.promise;
    this.#progress = Promise.withResolvers();
  }
}

function isProbe({ isProbe: isOfSuspended, isTest }: DueDelivery): boolean {
  return isOfSuspended && !isTest;
}
