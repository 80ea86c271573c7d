import { setImmediate as nextTurn } from "node:timers/promises";
import { Crowd } from "../../platform/fairness/crowd.ts";
import type { Caller } from "../../platform/fairness/load-shedder.ts";
import { FairQueue } from "../../platform/fairness/fair-queue.ts";
import type { Arrival } from "../../platform/http/arrival.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { Shares } from "../../platform/fairness/shares.ts";
import { currentVisit, runVisit, Visit, type Demand, type Party } from "../../platform/fairness/visit.ts";
import { AppError } from "../errors.ts";
import { Recognition } from "./recognition.ts";

/**
 * The most requests of one shop in flight, as merchants are told. Most of them wait, and what they hold outlives small
 * garbage collections: with 128 these took three to four times as long, and nobody got on meanwhile.
 */
export const MAX_REQUESTS_IN_FLIGHT = 60;
/** The most requests that are under way, for each connection to PostgreSQL. */
const MOST_BY_CONNECTION = 20;
/** The part of what is done at a time, and of what is under way, that may be one tenant's. */
const SHARE = 0.3;
/** The longest that a tenant rests after a piece of work, in milliseconds. */
const LONGEST_REST = 1_000;

/** The bytes of an answer that count as one request more. */
const BYTES_OF_REQUEST = 1024 * 1024;

/** Made once: a refusal must cost next to nothing. */
const tooMany = new AppError("UNAVAILABLE", "Too many requests at once", {
  hint: "Send this one again in a moment.",
});

/**
 * Lets requests in as long as there are not too many, in all and of one tenant, and refuses the others at once: what
 * would wait too long is better sent again later. Of those who are in, tenants take turns.
 */
export class Admission {
  readonly #mostEach: number;
  readonly #placesEach: number;
  readonly #shares: Shares;
  readonly #work: FairQueue;
  readonly #recognition = new Recognition();
  readonly #crowd = new Crowd();
  readonly #refused;

  /** As many requests are worked on at a time as there are connections to PostgreSQL. */
  constructor({ poolSize, metrics }: { poolSize: number; metrics: Metrics }) {
    const most = poolSize * MOST_BY_CONNECTION;
    this.#mostEach = Math.min(MAX_REQUESTS_IN_FLIGHT, Math.floor(most * SHARE));
    this.#shares = new Shares({ most, mostEach: this.#mostEach });
    this.#placesEach = Math.max(1, Math.floor(poolSize * SHARE));
    this.#work = new FairQueue({ places: poolSize, placesEach: () => this.#placesEach });
    this.#refused = metrics.counter("requests_refused_total", "Requests that were refused: there were too many.");
    metrics.gauge(
      "requests_under_way",
      "Requests under way, of which costly ones count as several.",
      () => this.#shares.total,
    );
    metrics.gauge("requests_waiting", "Requests that wait for their turn.", () => this.#work.waiting);
  }

  /** Does the work of a request, which counts until its answer is sent, too: until then it holds memory. */
  async serve(work: () => Promise<void>, isSent: Promise<void>): Promise<void> {
    const visit = new Visit();
    try {
      await runVisit(visit, work);
    } finally {
      if (visit.places > 0) this.#end(visit);
      void isSent.then(() => this.#discount(visit));
    }
  }

  /**
   * Counts the request that is under way before its credential is looked up: as the tenant's for whom that was valid when
   * it was last shown, lest a flood of strangers keeps out whoever is known; else as one of the strangers' of its network.
   *
   * @throws AppError UNAVAILABLE when there are too many
   */
  receive(arrival: Arrival): void {
    const visit = currentVisit();
    if (visit) this.#count(visit, this.#recognition.partyOf(arrival), 1);
  }

  /**
   * Waits for the turn of a request before its document is read, unless its credential is recognized: reading takes the
   * thread from everybody, and a flood of strangers would have most of it.
   *
   * @throws AppError UNAVAILABLE when there are too many
   */
  async queueStranger(arrival: Arrival): Promise<void> {
    if (this.#recognition.partyOf(arrival).network !== undefined) await this.queue(arrival);
  }

  /**
   * Waits for the turn of a request for a public route. Strangers have theirs one after another.
   *
   * @throws AppError UNAVAILABLE when there are too many of strangers: whoever is known gets a page that says how it goes,
   *   also while their shop asks for too much
   */
  async queue(arrival: Arrival): Promise<void> {
    const visit = currentVisit();
    if (!visit) return;
    const party = this.#recognition.partyOf(arrival);
    if (party.network === undefined) await this.#takePlaces(visit, party.tenant, 1);
    else await this.#enter(visit, party, { weight: 1, places: this.#placesEach });
    // The next of many would begin at once, and nobody else's request be taken from its socket meanwhile.
    await nextTurn();
  }

  /** Names those who are refused alike. */
  identify(arrival: Arrival): Caller {
    return this.#recognition.identify(arrival);
  }

  /**
   * Counts the request that is under way as this tenant's, whose valid credential it has.
   *
   * @throws AppError UNAVAILABLE when there are too many
   */
  admit(arrival: Arrival, tenant: string): void {
    this.#recognition.remember(arrival, tenant);
    const visit = currentVisit();
    if (visit) this.#count(visit, { tenant }, 1);
  }

  /** Takes whoever shows the credential, which was just given out, for no stranger. */
  welcome(arrival: Arrival): void {
    this.#recognition.welcome(arrival);
  }

  /** Takes whoever shows the credential for a stranger from now on: it is not valid. */
  reject(arrival: Arrival): void {
    this.#recognition.forget(arrival);
  }

  /**
   * Waits for the turn of the request that is under way. Its weight is the number of requests that it counts for: so many
   * may do as much, and hold as large an answer.
   *
   * @throws AppError UNAVAILABLE when there are too many
   */
  async begin(weight = 1): Promise<void> {
    const visit = currentVisit();
    if (visit?.tenant === undefined) return;
    const { tenant, network } = visit;
    const places = Math.min(weight, this.#placesEach);
    await this.#enter(visit, { tenant, network }, { weight: Math.min(weight, this.#mostEach), places });
  }

  /**
   * Counts the request that is under way as one more for each MiB of its answer, which holds that until it is sent. The
   * tenant is over its share by one at most: others keep theirs.
   */
  weigh(bytes: number): void {
    const visit = currentVisit();
    if (visit?.tenant === undefined) return;
    const left = this.#mostEach + 1 - this.#shares.of(visit.tenant);
    this.#add(visit, Math.min(left, Math.floor(bytes / BYTES_OF_REQUEST)));
  }

  /** Tells whether there is no room for something, which then counts as a request that was refused. */
  refuses(demand: Demand): boolean {
    const hasRoom = this.#shares.hasRoom(demand);
    if (!hasRoom) this.#refused.inc();
    return !hasRoom;
  }

  async #enter(visit: Visit, party: Party, { weight, places }: { weight: number; places: number }): Promise<void> {
    const { tenant } = party;
    this.#count(visit, party, weight);
    // It had its turn as a stranger's.
    if (visit.places > 0) return;
    await this.#takePlaces(visit, tenant, places);
    // Answers that were made meanwhile may be large.
    if (this.#shares.of(tenant) > this.#mostEach) {
      this.#refused.inc();
      this.#refuse(visit, { ...party, weight: visit.weight });
    }
  }

  async #takePlaces(visit: Visit, tenant: string, places: number): Promise<void> {
    const hasWaited = await this.#work.enter(tenant, places);
    if (!hasWaited) this.#crowd.note(tenant);
    Object.assign(visit, { places, placesOf: tenant, begunAt: performance.now() });
  }

  /**
   * Gives the places back, after a rest as long as the work while the event loop is busy and others are here: one that
   * worked without a pause would always be in their way.
   */
  #end({ places, placesOf, begunAt }: Visit): void {
    const leave = () => this.#work.leave(placesOf, places);
    if (!this.#crowd.isInTheWay(placesOf)) leave();
    else setTimeout(leave, Math.min(performance.now() - begunAt, LONGEST_REST)).unref();
  }

  #count(visit: Visit, party: Party, weight: number): void {
    this.#discount(visit);
    const demand = { ...party, weight };
    if (this.refuses(demand)) this.#refuse(visit, demand);
    visit.tenant = party.tenant;
    visit.network = party.network;
    this.#add(visit, weight);
  }

  #refuse(visit: Visit, demand: Demand): never {
    visit.refused = demand;
    throw tooMany;
  }

  #add(visit: Visit, weight: number): void {
    const { tenant, network } = visit;
    visit.weight += weight;
    this.#shares.add({ tenant: tenant!, network, weight });
  }

  #discount(visit: Visit): void {
    if (visit.weight > 0) this.#add(visit, -visit.weight);
  }
}
