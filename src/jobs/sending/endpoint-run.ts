import type { AttemptResult } from "./attempt-delivery.ts";
import { OwnFault } from "../transport/own-fault.ts";
import type { DueDelivery, DueDeliveries } from "./read-due-deliveries.sql.ts";

/** Attempts at one endpoint at a time. A receiver that hangs holds no more than these. */
const MAX_AT_ONCE = 20;
/** Deliveries that are read ahead while there are many. */
const READ_AHEAD = 100;
/** The most deliveries read and not yet recorded. At more, sending waits for the database. */
const MAX_UNRECORDED = 500;
/** The age at which read deliveries are read again, because staff may have paused the endpoint. Milliseconds. */
const FRESH = 1_000;

export interface EndpointRunOptions {
  read: (request: { places: number; except: readonly string[] }) => Promise<DueDeliveries>;
  /** Fails a batch of what will not be sent. Answers whether there may be more. */
  failMissed: () => Promise<boolean>;
  attempt: (delivery: DueDelivery) => Promise<AttemptResult>;
  /** Settles when what came of an attempt is recorded. */
  record: (result: AttemptResult) => Promise<unknown>;
  /** Postpones what could not be attempted or recorded, for a fault of ours. */
  postpone: (delivery: DueDelivery, error: unknown) => Promise<void>;
  /** True when the run is to begin nothing more. */
  isOver: () => boolean;
  /** True when so many attempts are under way that each endpoint is to have one at a time. */
  isCrowded: () => boolean;
}

/** Sends an endpoint what is due there, a few attempts at a time, until nothing is. */
export class EndpointRun {
  /** True when something may be due that was not read. */
  mayBeMore = true;
  /** The fault of ours that ended the run: what is due stays due. */
  fault: OwnFault | undefined;

  readonly #options: EndpointRunOptions;
  /** Read, and not begun. */
  #ready: DueDelivery[] = [];
  #readAt = 0;
  /** True when the deliveries being read are not to be sent. */
  #isOutdated = false;
  /** Deliveries read but not yet recorded, by id. */
  readonly #unrecorded = new Set<string>();
  #sending = 0;
  /** The number of attempts that may be under way: one after an open circuit, and one more with each success. */
  #allowed = MAX_AT_ONCE;
  /** True after a failed attempt until one succeeds, which then clears the failures. */
  #isFailing = false;
  #progress = Promise.withResolvers<void>();

  constructor(options: EndpointRunOptions) {
    this.#options = options;
  }

  /** Something became due meanwhile. */
  ask(): void {
    this.mayBeMore = true;
    this.#progress.resolve();
  }

  /** Settles when nothing is due, or the run is over, and everything that was begun is recorded. */
  async sendAll(): Promise<void> {
    try {
      await this.#sendDue();
    } finally {
      // The run waits for the attempts that it began, also when the next deliveries could not be read.
      this.#forgetReady();
      while (this.#unrecorded.size > 0) await this.#progressed();
    }
  }

  async #sendDue(): Promise<void> {
    for (;;) {
      const isOver = this.#isOver();
      if (isOver || performance.now() - this.#readAt > FRESH) this.#forgetReady();
      this.#begin();
      const places = isOver || !this.mayBeMore ? 0 : this.#placesToRead();
      if (places > 0) await this.#read(places);
      else if (this.#unrecorded.size > 0) await this.#progressed();
      else return;
    }
  }

  /** Asks whether something became due of which no job told this run. */
  async lookAgain(): Promise<void> {
    const { deliveries, isMissed } = await this.#options.read({ places: 1, except: [] });
    if (deliveries.length > 0 || (isMissed && (await this.#options.failMissed()))) this.mayBeMore = true;
  }

  #begin(): void {
    while (this.#ready.length > 0 && this.#sending < this.#limit() && !this.#isOver()) {
      void this.#send(this.#ready.shift()!);
    }
  }

  #isOver(): boolean {
    return this.fault !== undefined || this.#options.isOver();
  }

  /** The number of attempts that may be under way now. */
  #limit(): number {
    return this.#options.isCrowded() ? 1 : this.#allowed;
  }

  #placesToRead(): number {
    const limit = this.#limit();
    if (limit < MAX_AT_ONCE) return Math.max(0, limit - this.#sending - this.#ready.length);
    return this.#ready.length < MAX_AT_ONCE && this.#unrecorded.size < MAX_UNRECORDED ? READ_AHEAD : 0;
  }

  async #read(places: number): Promise<void> {
    this.mayBeMore = false;
    this.#isOutdated = false;
    const { deliveries, isMissed } = await this.#options.read({ places, except: [...this.#unrecorded] });
    if (deliveries.length === places || (isMissed && (await this.#options.failMissed()))) this.mayBeMore = true;
    // An attempt has failed meanwhile, which may have opened the circuit.
    if (this.#isOutdated) return this.ask();
    if (this.#ready.length === 0) this.#readAt = performance.now();
    for (const delivery of deliveries) {
      this.#unrecorded.add(delivery.id);
      this.#ready.push(delivery);
      if (delivery.isProbe) this.#allowed = 1;
    }
  }

  #forgetReady(): void {
    this.#isOutdated = true;
    if (this.#ready.length === 0) return;
    for (const { id } of this.#ready.splice(0)) this.#unrecorded.delete(id);
    this.mayBeMore = true;
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
      const result = await this.#options.attempt(delivery);
      const isSuccess = result.outcome.errorClass === null;
      // It is recorded after the failures of which its delivery did not know when it was read.
      delivery.isFailing ||= this.#isFailing;
      this.#isFailing = !isSuccess;
      if (!isSuccess) this.#forgetReady();
      // Otherwise the place stays taken until it is known whether that opened the circuit, or closed it.
      else if (!delivery.isProbe) end();
      await this.#options.record(result);
      if (isSuccess) this.#allowed = Math.min(this.#allowed + 1, MAX_AT_ONCE);
      // Deliveries that waited for the circuit to close may go.
      if (isSuccess && delivery.isProbe) this.mayBeMore = true;
    } catch (error) {
      if (error instanceof OwnFault) this.fault = error;
      else await this.#options.postpone(delivery, error);
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
