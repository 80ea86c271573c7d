import type { SendJob } from "../../core/webhooks/jobs/send-jobs.sql.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { OwnFault } from "../transport/failures.ts";
import type { DueDelivery, DueDeliveries } from "./read-due-deliveries.sql.ts";

/** Concurrent attempts at one endpoint. A receiver that hangs holds at most this number. */
const MAX_AT_ONCE = 20;
/** Deliveries read ahead while many are due. */
const READ_AHEAD = 100;
/** The maximum number of deliveries read but not recorded. Beyond it, sending waits for the database. */
const MAX_UNRECORDED = 500;
/** Deliveries read longer ago are read again, because staff may have paused the endpoint. Milliseconds. */
const FRESH = 1_000;

/** What sending needs of the database and the network. */
export interface DeliveryServices {
  read: (job: SendJob, request: { places: number; except: readonly string[] }) => Promise<DueDeliveries>;
  /** Fails a batch of undeliverable deliveries. Returns true when there may be more. */
  failUndeliverable: (job: SendJob) => Promise<boolean>;
  attempt: (delivery: DueDelivery) => Promise<AttemptResult>;
  /** Returns a function that settles when the result of an attempt is recorded. */
  recorderFor: (job: SendJob) => (result: AttemptResult) => Promise<unknown>;
  /** Postpones a delivery that could not be attempted or recorded because of a fault of this process. */
  postpone: (delivery: DueDelivery, error: unknown) => Promise<void>;
  /** Adds a job for the remaining deliveries, after waiting jobs, in this number of seconds. */
  requeue: (job: SendJob, seconds: number) => Promise<void>;
  reportFault: (job: SendJob, fault: Error) => void;
}

interface Conditions {
  /** True when the loop should start no more attempts. */
  isOver: () => boolean;
  /** True when so many attempts are running that each endpoint is limited to one. */
  isCrowded: () => boolean;
}

/** Sends an endpoint's due deliveries, several at a time, until none is left. */
export class DeliveryLoop {
  /** True when deliveries may be due that were not read. */
  hasMore = true;
  /** The fault of this process that ended the loop. Its deliveries stay due. */
  fault: OwnFault | undefined;

  readonly #job: SendJob;
  readonly #services: DeliveryServices;
  readonly #conditions: Conditions;
  readonly #record: ReturnType<DeliveryServices["recorderFor"]>;
  /** Deliveries read but not started. */
  #ready: DueDelivery[] = [];
  #readAt = 0;
  /** True when the deliveries being read must not be sent. */
  #isOutdated = false;
  /** Deliveries read but not yet recorded, by id. */
  readonly #unrecorded = new Map<string, DueDelivery>();
  #sending = 0;
  /** The maximum number of concurrent attempts: one after an open circuit, and one more with each success. */
  #allowed = MAX_AT_ONCE;
  /** True after a failed attempt until the next success, which clears the failures. */
  #isFailing = false;
  #progress = Promise.withResolvers<void>();

  constructor(job: SendJob, services: DeliveryServices, conditions: Conditions) {
    this.#job = job;
    this.#services = services;
    this.#conditions = conditions;
    this.#record = services.recorderFor(job);
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
      if (isOver || performance.now() - this.#readAt > FRESH) this.#forgetReady();
      this.#begin();
      const places = isOver || !this.hasMore ? 0 : this.#placesToRead();
      if (places > 0) await this.#read(places);
      else if (this.#unrecorded.size > 0) await this.#progressed();
      else return;
    }
  }

  /** Checks for deliveries that became due without a job that woke this loop. */
  async recheck(): Promise<void> {
    const { deliveries, isUndeliverable } = await this.#services.read(this.#job, { places: 1, except: [] });
    if (deliveries.length > 0 || (isUndeliverable && (await this.#services.failUndeliverable(this.#job))))
      this.hasMore = true;
  }

  #begin(): void {
    while (this.#ready.length > 0 && this.#sending < this.#limit() && !this.#isOver()) {
      void this.#send(this.#ready.shift()!);
    }
  }

  #isOver(): boolean {
    return this.fault !== undefined || this.#conditions.isOver();
  }

  /** The maximum number of concurrent attempts now. */
  #limit(): number {
    return this.#conditions.isCrowded() ? 1 : this.#allowed;
  }

  #placesToRead(): number {
    const limit = this.#limit();
    if (limit < MAX_AT_ONCE) return Math.max(0, limit - this.#sending - this.#ready.length);
    return this.#ready.length < MAX_AT_ONCE && this.#unrecorded.size < MAX_UNRECORDED ? READ_AHEAD : 0;
  }

  async #read(places: number): Promise<void> {
    this.hasMore = false;
    this.#isOutdated = false;
    const { deliveries, isUndeliverable } = await this.#services.read(this.#job, {
      places,
      except: [...this.#unrecorded.keys()],
    });
    if (deliveries.length >= places || (isUndeliverable && (await this.#services.failUndeliverable(this.#job))))
      this.hasMore = true;
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
    this.#sending += 1;
    let isSending = true;
    const end = () => {
      if (isSending) this.#sending -= 1;
      isSending = false;
      this.#begin();
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
      await this.#record(result);
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
