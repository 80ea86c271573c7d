import type { Logger } from "../platform/logger.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import type { ClaimedDelivery, EndpointPlaces } from "./claim-deliveries.ts";
import { Turns, type EndpointKey } from "./turns.ts";

/** Attempts at one endpoint at a time, by one worker. A receiver that hangs holds no more than these. */
const MAX_AT_ENDPOINT = 20;
/** Attempts at a time, by one worker. */
const MAX_AT_ONCE = 500;
/** Endpoints that one claim asks for. */
const MAX_ENDPOINTS = 100;

export interface DispatcherOptions {
  /** Takes due deliveries, each for this worker alone; undefined while it may not take any. */
  claim: (endpoints: EndpointPlaces[]) => Promise<ClaimedDelivery[]>;
  attempt: (delivery: ClaimedDelivery) => Promise<AttemptResult>;
  /** Writes down what came of an attempt. */
  record: (result: AttemptResult) => Promise<void>;
  /** Gives back what could not be attempted or written down, for a fault of ours. */
  release: (delivery: ClaimedDelivery) => Promise<void>;
  logger: Logger;
}

interface EndpointState {
  running: number;
  /** How many may run: an endpoint that was ill starts with one, and each success allows one more. */
  allowed: number;
}

/**
 * Sends what is due, at many endpoints at a time: a few attempts at each, the endpoints in fair turns. It is
 * woken when something may be due; whatever it misses, it is woken for again.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #turns = new Turns();
  readonly #endpoints = new Map<string, EndpointState>();
  readonly #running = new Set<Promise<void>>();
  #claiming = false;
  #stopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  wake(endpoints: Iterable<EndpointKey>): void {
    for (const endpoint of endpoints) this.#turns.add(endpoint);
    void this.#go();
  }

  /** Begins nothing more, and lets what was begun end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #go(): Promise<void> {
    if (this.#claiming || this.#stopped) return;
    this.#claiming = true;
    try {
      for (let asked = this.#nextTurns(); asked.length > 0; asked = this.#nextTurns()) {
        const claimed = await this.#options.claim(asked);
        const counts = Map.groupBy(claimed, ({ endpointId }) => endpointId);
        for (const endpoint of asked) {
          // As much as was asked for: there may be more.
          if ((counts.get(endpoint.endpointId)?.length ?? 0) === endpoint.places) this.#turns.add(endpoint);
        }
        for (const delivery of claimed) this.#begin(delivery);
        if (this.#stopped) return;
      }
    } catch (error) {
      // What could not be claimed stays due, and is found again.
      this.#options.logger.warn({ err: error }, "deliveries could not be claimed");
    } finally {
      this.#claiming = false;
    }
  }

  #nextTurns(): EndpointPlaces[] {
    let free = MAX_AT_ONCE - this.#running.size;
    if (free <= 0) return [];
    const turns = this.#turns.take(Math.min(MAX_ENDPOINTS, free), (key) => this.#placesAt(key) > 0);
    return turns.flatMap((key) => {
      const places = Math.min(this.#placesAt(key), Math.max(1, free));
      free -= places;
      return [{ ...key, places }];
    });
  }

  #placesAt({ endpointId }: EndpointKey): number {
    const state = this.#endpoints.get(endpointId);
    return state ? state.allowed - state.running : MAX_AT_ENDPOINT;
  }

  #begin(delivery: ClaimedDelivery): void {
    const state = this.#endpoints.get(delivery.endpointId) ?? { running: 0, allowed: MAX_AT_ENDPOINT };
    this.#endpoints.set(delivery.endpointId, state);
    state.running += 1;
    if (delivery.isProbe) state.allowed = 1;
    const run = this.#run(delivery, state).finally(() => {
      this.#running.delete(run);
      state.running -= 1;
      if (state.running === 0 && state.allowed === MAX_AT_ENDPOINT) this.#endpoints.delete(delivery.endpointId);
      void this.#go();
    });
    this.#running.add(run);
  }

  async #run(delivery: ClaimedDelivery, state: EndpointState): Promise<void> {
    try {
      const result = await this.#options.attempt(delivery);
      const isSuccess = result.outcome.errorClass === null;
      if (isSuccess) state.allowed = Math.min(state.allowed + 1, MAX_AT_ENDPOINT);
      await this.#options.record(result);
      // The circuit is closed: what waited may go.
      if (delivery.isProbe && isSuccess) this.#turns.add(delivery);
    } catch (error) {
      this.#options.logger.error({ err: error, deliveryId: delivery.id }, "a delivery could not be attempted");
      await this.#options.release(delivery).catch(() => undefined);
    }
  }
}
