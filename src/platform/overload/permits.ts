import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import { Counts } from "../counts.ts";
import type { Tenant } from "./tenants.ts";

/** The share of the permits that one tenant may have at a time. */
const SHARE = 0.3;

interface Waiting {
  cost: number;
  start: () => void;
}

/** A tenant with waiting requests. The lowest turn is next. */
interface Line {
  turn: number;
  requests: Waiting[];
}

/**
 * Distributes permits among tenants in turns. The more requests of a tenant wait, the later its next turn, so a tenant
 * with few requests does not wait behind one with many. This is weighted fair queueing (Demers, Keshav and Shenker),
 * weighted by the inverse of a tenant's waiting requests.
 */
export class Queue {
  readonly #permits: number;
  /** Permits of one tenant. */
  readonly #most: number;
  readonly #taken = new Counts();
  readonly #lines = new Map<string, Line>();
  /** The turn given to a newly waiting tenant. It advances more slowly the more tenants wait. */
  #turn = 0;
  /** True while waiting requests are about to start. */
  #isStarting = false;

  constructor(permits: number) {
    this.#permits = permits;
    this.#most = Math.max(1, Math.floor(permits * SHARE));
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { requests }) => sum + requests.length, 0);
  }

  /** Waits for permits up to the cost, capped at a tenant's maximum, and returns their number. */
  async take(tenant: string, wanted: number): Promise<number> {
    const cost = Math.min(wanted, this.#most);
    const isFree = this.#taken.total + cost <= this.#permits && this.#mayHave(tenant, cost);
    if (isFree && !this.#lines.has(tenant) && this.#next() === undefined) this.#taken.add(tenant, cost);
    else await new Promise<void>((start) => this.#wait(tenant, { cost, start }));
    return cost;
  }

  giveBack(tenant: string, cost: number): void {
    this.#taken.add(tenant, -cost);
    if (!this.#isStarting && this.#startable() !== undefined) this.#startLater();
  }

  #wait(tenant: string, request: Waiting): void {
    const line = this.#lines.get(tenant);
    if (line) line.requests.push(request);
    else this.#lines.set(tenant, { turn: this.#turn, requests: [request] });
  }

  /** Starts as many requests in each turn of the event loop as one tenant may have, so that sockets are read in between. */
  #startLater(): void {
    this.#isStarting = true;
    setImmediate(() => {
      for (let left = this.#most; left > 0; left -= 1) {
        const tenant = this.#startable();
        if (tenant === undefined) return void (this.#isStarting = false);
        this.#start(tenant);
      }
      this.#startLater();
    });
  }

  #start(tenant: string): void {
    const line = this.#lines.get(tenant)!;
    line.turn = Math.max(line.turn, this.#turn) + line.requests.length;
    this.#turn += 1 / [...this.#lines.values()].reduce((sum, { requests }) => sum + 1 / requests.length, 0);
    const { cost, start } = line.requests.shift()!;
    if (line.requests.length === 0) this.#lines.delete(tenant);
    this.#taken.add(tenant, cost);
    start();
  }

  /** The tenant with the current turn, once enough permits are free. */
  #startable(): string | undefined {
    const tenant = this.#next();
    if (tenant === undefined) return undefined;
    const { cost } = this.#lines.get(tenant)!.requests[0]!;
    return this.#taken.total + cost <= this.#permits ? tenant : undefined;
  }

  /** The tenant with the current turn. It keeps the turn until enough permits are free. */
  #next(): string | undefined {
    let next: string | undefined;
    let turn = Infinity;
    for (const [tenant, line] of this.#lines) {
      if (line.turn < turn && this.#mayHave(tenant, line.requests[0]!.cost)) [next, turn] = [tenant, line.turn];
    }
    return next;
  }

  #mayHave(tenant: string, cost: number): boolean {
    return this.#taken.of(tenant) + cost <= this.#most;
  }
}

/** The permits of a costly operation: a tenant's maximum with ten connections. */
export const COSTLY = 3;
/** Bytes of an answer that count as one more request, because answers stay in memory until they are sent. */
const BYTES_OF_REQUEST = 1024 * 1024;

/** The tickets of admitted requests. */
export const tickets = new WeakMap<IncomingMessage, Ticket>();

/** What admitted requests share. */
export interface Places {
  readonly queue: Queue;
  /** The requests in flight, by tenant. */
  readonly inFlight: Counts;
  /** Requests in flight of one tenant. */
  readonly mostEach: number;
  /** Changes the counts of the requests in flight. */
  count: (tenant: Tenant, change: number) => void;
}

/** An admitted request. */
export class Ticket {
  /** The permits held. */
  permits = 0;

  /** @param closed settles when the answer is sent or its connection has ended */
  constructor(
    readonly tenant: Tenant,
    readonly places: Places,
    readonly closed: Promise<void>,
  ) {}

  /** Waits for permits of this cost. Returns held permits first, so that a request never waits for itself. */
  async takePermits(cost: number): Promise<void> {
    this.giveBackPermits();
    this.permits = await this.places.queue.take(this.tenant.name, cost);
  }

  giveBackPermits(): void {
    if (this.permits > 0) this.places.queue.giveBack(this.tenant.name, this.permits);
    this.permits = 0;
  }

  /** Does the work without permits and without counting as in flight, because it only waits. Then takes them again. */
  async rest<Result>(work: () => Promise<Result>): Promise<Result> {
    const { permits } = this;
    this.giveBackPermits();
    this.places.count(this.tenant, -1);
    try {
      return await work();
    } finally {
      this.places.count(this.tenant, 1);
      if (permits > 0) await this.takePermits(permits);
    }
  }

  /** Counts each MiB of an answer as one more request until it is sent. */
  countAnswer(bytes: number): void {
    const { inFlight, mostEach } = this.places;
    // Stops at one over the limit, which is enough to refuse the tenant without taking others' places.
    const left = mostEach + 1 - inFlight.of(this.tenant.name);
    const more = Math.min(left, Math.floor(bytes / BYTES_OF_REQUEST));
    for (let count = 0; count < more; count += 1) void inFlight.during(this.tenant.name, () => this.closed);
  }

  /** True while the tenant's requests and answers exceed its limit. */
  get isOver(): boolean {
    return this.places.inFlight.of(this.tenant.name) > this.places.mostEach;
  }
}

/** The ticket of the current request. */
export function ticketOf({ req }: Context): Ticket {
  return tickets.get(req)!;
}
