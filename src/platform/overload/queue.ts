import { Counts } from "../counts.ts";

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
