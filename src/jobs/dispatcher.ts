import type { Logger } from "../platform/logger.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import type { DueDelivery, EndpointToRead } from "./read-due-deliveries.ts";
import { Turns, type EndpointKey } from "./turns.ts";

/** Attempts at one endpoint at a time. A receiver that hangs holds no more than these. */
const MAX_AT_ENDPOINT = 20;
/** Attempts at a time. */
const MAX_AT_ONCE = 1_000;
/** An endpoint may have so much of what is free of those, and of what may be ready: those that hang leave some. */
const SHARE = 1 / 8;
/** Deliveries that are sent and not yet written down: beyond, the database is what is to be waited for. */
const MAX_UNRECORDED = 2_000;
/** Endpoints that one statement reads. */
const MAX_ENDPOINTS = 100;
/** Deliveries of an endpoint that are read ahead when it has many. */
const READ_AHEAD = 200;
/** What is read and not begun. */
const MAX_READY = 2_000;
/** What was read so long ago is read again, for staff may have paused the endpoint meanwhile. Milliseconds. */
const FRESH = 1_000;

export interface DispatcherOptions {
  /** What is due at those of the endpoints that this worker could take hold of: all others are another's. */
  read: (endpoints: EndpointToRead[]) => Promise<{ due: DueDelivery[]; elsewhere: EndpointKey[] }>;
  /** Lets others have them. */
  letGo: (endpointIds: string[]) => Promise<void>;
  /** Tells the workers that hold them. */
  wakeOthers: (endpoints: EndpointKey[]) => Promise<void>;
  attempt: (delivery: DueDelivery) => Promise<AttemptResult>;
  /** Writes down what came of an attempt. */
  record: (result: AttemptResult) => Promise<void>;
  /** Puts off what could not be attempted or written down, for a fault of ours. */
  putOff: (delivery: DueDelivery) => Promise<void>;
  logger: Logger;
}

interface EndpointState {
  key: EndpointKey;
  /** Something may be due that was not read. */
  isWoken: boolean;
  /** Whether a job told so: if another worker holds the endpoint, it is to hear of it. */
  isToldByJob: boolean;
  /** Set when the last reading found as much as it asked for: when the last of it was due, where the next goes on. */
  readTo: Date | null;
  /** Something of it is being read that will be of use. */
  isBeingRead: boolean;
  ready: DueDelivery[];
  readAt: number;
  running: number;
  /** How many may run: an endpoint that was ill starts with one, and each success allows one more. */
  allowed: number;
  /** Whether an attempt failed and none has succeeded since: the next that does is to say so. */
  isFailing: boolean;
  /** Everything read, begun or not, of which it is not written down what came of it, and when it was due. */
  inHand: Map<string, Date | null>;
}

/**
 * Sends what is due, at many endpoints at a time: a few attempts at each, the endpoints in fair turns. It is
 * woken when something may be due; whatever it misses, it is woken for again.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #endpoints = new Map<string, EndpointState>();
  /** Those that may be read, and those with something ready and a place for it. */
  readonly #toRead = new Turns();
  readonly #toSend = new Turns();
  readonly #runs = new Set<Promise<void>>();
  #running = 0;
  #ready = 0;
  #isReading = false;
  #reading = Promise.resolve();
  #isStopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Something may be due at these endpoints. */
  wake(endpoints: Iterable<EndpointKey>, { isToldByJob = false } = {}): void {
    for (const key of endpoints) {
      const state = this.#stateOf(key);
      state.isWoken = true;
      state.isToldByJob ||= isToldByJob;
      this.#queue(state);
    }
    this.#go();
  }

  /** From time to time: forgets what was read too long ago, and lets go of endpoints with nothing to do. */
  async tidy(): Promise<void> {
    const idle: string[] = [];
    for (const [endpointId, state] of this.#endpoints) {
      if (state.ready.length > 0 && performance.now() - state.readAt > FRESH) this.#forgetReady(state);
      if (state.inHand.size > 0 || state.isWoken || state.isBeingRead) continue;
      this.#endpoints.delete(endpointId);
      idle.push(endpointId);
    }
    await this.#options.letGo(idle);
  }

  /** Other workers may have taken the endpoints meanwhile: what was read and not begun may be theirs. */
  forget(): void {
    for (const state of this.#endpoints.values()) this.#forgetReady(state);
  }

  /** Begins nothing more, and lets what was begun end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#runs.size > 0) await Promise.all(this.#runs);
    await this.#reading;
  }

  #stateOf(key: EndpointKey): EndpointState {
    let state = this.#endpoints.get(key.endpointId);
    if (!state) {
      state = {
        key,
        isWoken: false,
        isToldByJob: false,
        readTo: null,
        isBeingRead: false,
        ready: [],
        readAt: 0,
        running: 0,
        allowed: MAX_AT_ENDPOINT,
        isFailing: false,
        inHand: new Map(),
      };
      this.#endpoints.set(key.endpointId, state);
    }
    return state;
  }

  /** Lets the endpoint have its turns, as far as there is something to do. */
  #queue(state: EndpointState): void {
    if (state.running < state.allowed && state.ready.length > 0) this.#toSend.add(state.key);
    if (state.isWoken && placesToRead(state, this.#ready) > 0) this.#toRead.add(state.key);
  }

  #go(): void {
    this.#send();
    if (!this.#isReading) this.#reading = this.#read();
  }

  /** Whoever may not begin now has something under way, and is queued again when that ends. */
  #send(): void {
    while (!this.#isStopped && this.#running < MAX_AT_ONCE && this.#runs.size < MAX_UNRECORDED) {
      const key = this.#toSend.next();
      if (!key) return;
      const state = this.#endpoints.get(key.endpointId);
      if (!state || state.ready.length === 0) continue;
      const share = Math.ceil((MAX_AT_ONCE - this.#running) * SHARE);
      if (state.running < Math.min(state.allowed, share)) this.#begin(state, state.ready.shift()!);
    }
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      for (let asked = this.#nextToRead(); asked.length > 0; asked = this.#nextToRead()) await this.#readDue(asked);
    } catch (error) {
      // What could not be read stays due, and is found again.
      this.#options.logger.warn({ err: error }, "deliveries could not be read");
    } finally {
      this.#isReading = false;
    }
  }

  #nextToRead(): { state: EndpointState; places: number }[] {
    const asked = [];
    let ready = this.#ready;
    while (!this.#isStopped && asked.length < MAX_ENDPOINTS) {
      const key = this.#toRead.next();
      if (!key) break;
      const state = this.#endpoints.get(key.endpointId);
      const places = state?.isWoken ? placesToRead(state, ready) : 0;
      if (places === 0) continue;
      asked.push({ state: state!, places });
      ready += places;
    }
    return asked;
  }

  async #readDue(asked: { state: EndpointState; places: number }[]): Promise<void> {
    for (const { state } of asked) Object.assign(state, { isWoken: false, isBeingRead: true });
    let told: EndpointKey[] = [];
    try {
      const { due, elsewhere } = await this.#options.read(
        asked.map(({ state, places }) => {
          return { ...state.key, places, except: findable(state), dueFrom: state.readTo };
        }),
      );
      const found = Map.groupBy(due, ({ endpointId }) => endpointId);
      for (const { state, places } of asked) this.#take(state, found.get(state.key.endpointId) ?? [], places);
      told = elsewhere.filter(({ endpointId }) => this.#endpoints.get(endpointId)?.isToldByJob);
      for (const { state } of asked) state.isToldByJob = false;
    } catch (error) {
      for (const { state } of asked) state.isWoken = true;
      throw error;
    } finally {
      for (const { state } of asked) {
        state.isBeingRead = false;
        this.#queue(state);
      }
      this.#send();
    }
    if (told.length > 0) await this.#options.wakeOthers(told);
  }

  #take(state: EndpointState, found: DueDelivery[], places: number): void {
    if (!state.isBeingRead) return;
    const isMore = found.length === places;
    // One that went on where another ended does not know what became due before that: then all is read once more.
    state.isWoken ||= isMore || state.readTo !== null;
    state.readTo = isMore ? found.at(-1)!.dueAt : null;
    if (state.ready.length === 0) state.readAt = performance.now();
    for (const delivery of found) {
      const isInHand = state.inHand.has(delivery.id);
      state.inHand.set(delivery.id, delivery.dueAt);
      // Such as what staff replayed meanwhile, which made it due later.
      if (isInHand) continue;
      state.ready.push(delivery);
      this.#ready += 1;
      if (delivery.isProbe) state.allowed = 1;
    }
  }

  /** Also what is being read now. */
  #forgetReady(state: EndpointState): void {
    this.#ready -= state.ready.length;
    Object.assign(state, { readTo: null, isBeingRead: false });
    for (const { id } of state.ready.splice(0)) state.inHand.delete(id);
    state.isWoken = true;
    this.#queue(state);
  }

  #begin(state: EndpointState, delivery: DueDelivery): void {
    this.#ready -= 1;
    state.running += 1;
    this.#running += 1;
    const run = this.#run(state, delivery).finally(() => {
      this.#runs.delete(run);
      state.inHand.delete(delivery.id);
      this.#queue(state);
      this.#go();
    });
    this.#runs.add(run);
    this.#queue(state);
  }

  async #run(state: EndpointState, delivery: DueDelivery): Promise<void> {
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      state.running -= 1;
      this.#running -= 1;
      this.#queue(state);
      this.#go();
    };
    try {
      const result = await this.#options.attempt(delivery);
      const isSuccess = result.outcome.errorClass === null;
      // It is written down after the failures of which its delivery did not know when it was read.
      delivery.isFailing ||= state.isFailing;
      state.isFailing = !isSuccess;
      if (!isSuccess) this.#forgetReady(state);
      // Otherwise the place stays taken until it is known whether that opened the circuit, or closed it.
      else if (!delivery.isProbe) end();
      await this.#options.record(result);
      if (isSuccess) state.allowed = Math.min(state.allowed + 1, MAX_AT_ENDPOINT);
      // What waited for the circuit to close may go.
      if (isSuccess && delivery.isProbe) state.isWoken = true;
    } catch (error) {
      this.#options.logger.error({ err: error, deliveryId: delivery.id }, "a delivery could not be attempted");
      if (!this.#isStopped) await this.#options.putOff(delivery).catch(() => undefined);
    } finally {
      end();
    }
  }
}

/** What a reading would find again: one that goes on where another ended does not come to what was due before that. */
function findable({ inHand, readTo }: EndpointState): string[] {
  const ids: string[] = [];
  for (const [id, dueAt] of inHand) if (!readTo || !dueAt || dueAt >= readTo) ids.push(id);
  return ids;
}

/** How many deliveries to read, if there are as many, while others have so much ready. */
function placesToRead({ allowed, running, ready, readTo }: EndpointState, allReady: number): number {
  if (allowed < MAX_AT_ENDPOINT) return Math.max(0, allowed - running - ready.length);
  if (running >= allowed && !readTo) return 0;
  const share = Math.max(1, Math.ceil((MAX_READY - allReady) * SHARE));
  const ahead = Math.min(readTo ? READ_AHEAD : MAX_AT_ENDPOINT, share);
  return ready.length <= ahead / 2 ? ahead - ready.length : 0;
}
