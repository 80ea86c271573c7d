import { Counts } from "../counts.ts";

/** The part of the permits that one tenant may have at a time. */
const SHARE = 0.3;
/** The time in each turn of the event loop for beginning with requests that waited, in milliseconds. */
const MOMENT = 2;

interface Waiting {
  cost: number;
  call: () => void;
}

/** A tenant whose requests wait. The lowest turn comes next. */
interface Line {
  turn: number;
  requests: Waiting[];
}

/**
 * Gives out a number of permits. Tenants take turns, and the next turn of a tenant comes the later the more of its requests
 * wait, so that those who ask for many do not keep one that asks for a few waiting. This is weighted fair queueing (Demers,
 * Keshav and Shenker), with the inverse of a tenant's waiting requests as its weight.
 */
export class Queue {
  readonly #permits: number;
  /** The most permits of one tenant. */
  readonly #most: number;
  readonly #taken = new Counts();
  readonly #lines = new Map<string, Line>();
  /** The turn of a tenant that comes now. It goes on more slowly the more tenants wait. */
  #turn = 0;
  /** Requests that have permits and are not called yet. */
  readonly #called: (() => void)[] = [];

  constructor(permits: number) {
    this.#permits = permits;
    this.#most = Math.max(1, Math.floor(permits * SHARE));
  }

  /** The number of requests that wait. */
  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { requests }) => sum + requests.length, this.#called.length);
  }

  /** Takes as many permits as something costs, but no more than a tenant may have. Returns their number. */
  async take(tenant: string, wanted: number): Promise<number> {
    const cost = Math.min(wanted, this.#most);
    const isFree = this.#taken.total + cost <= this.#permits && this.#mayHave(tenant, cost);
    if (isFree && !this.#lines.has(tenant) && this.#next() === undefined) this.#taken.add(tenant, cost);
    else await new Promise<void>((call) => this.#wait(tenant, { cost, call }));
    return cost;
  }

  giveBack(tenant: string, cost: number): void {
    this.#taken.add(tenant, -cost);
    for (let next = this.#next(); next !== undefined && this.#isEnoughFor(next); next = this.#next()) this.#call(next);
  }

  #wait(tenant: string, request: Waiting): void {
    const line = this.#lines.get(tenant);
    if (line) line.requests.push(request);
    else this.#lines.set(tenant, { turn: this.#turn, requests: [request] });
  }

  /** The tenant whose turn it is. It keeps its turn until all the permits that it needs are free. */
  #next(): string | undefined {
    let next: string | undefined;
    let turn = Infinity;
    for (const [tenant, line] of this.#lines) {
      if (line.turn < turn && this.#mayHave(tenant, line.requests[0]!.cost)) [next, turn] = [tenant, line.turn];
    }
    return next;
  }

  #call(tenant: string): void {
    const line = this.#lines.get(tenant)!;
    line.turn = Math.max(line.turn, this.#turn) + line.requests.length;
    this.#turn += 1 / [...this.#lines.values()].reduce((sum, { requests }) => sum + 1 / requests.length, 0);
    const { cost, call } = line.requests.shift()!;
    if (line.requests.length === 0) this.#lines.delete(tenant);
    this.#taken.add(tenant, cost);
    if (this.#called.push(call) === 1) setImmediate(() => this.#callSome());
  }

  /** Calls for a moment in each turn of the event loop. In between, others are taken from their sockets. */
  #callSome(end = performance.now() + MOMENT): void {
    this.#called.shift()!();
    if (this.#called.length === 0) return;
    const goOn = () => (performance.now() < end ? this.#callSome(end) : setImmediate(() => this.#callSome()));
    // A tick comes when no promise is left to go on: what the request does at once is done by then.
    queueMicrotask(() => process.nextTick(goOn));
  }

  #isEnoughFor(tenant: string): boolean {
    return this.#taken.total + this.#lines.get(tenant)!.requests[0]!.cost <= this.#permits;
  }

  #mayHave(tenant: string, cost: number): boolean {
    return this.#taken.of(tenant) + cost <= this.#most;
  }
}
