import { Counts } from "../counts.ts";

/** The part of the permits that one tenant may have at a time. */
const SHARE = 0.3;

interface Waiting {
  cost: number;
  call: () => void;
}

/** Gives out a number of permits. Tenants take turns, so that one that asks for many does not keep the others waiting. */
export class Queue {
  readonly #permits: number;
  /** The most permits of one tenant. */
  readonly #most: number;
  #taken = 0;
  readonly #takenBy = new Counts();
  /** By tenant; the tenant whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #isCalling = false;

  constructor(permits: number) {
    this.#permits = permits;
    this.#most = Math.max(1, Math.floor(permits * SHARE));
  }

  /** The number of requests that wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, others) => sum + others.length, 0);
  }

  /** Takes as many permits as something costs, but no more than a tenant may have. Returns their number. */
  async take(tenant: string, wanted: number): Promise<number> {
    const cost = Math.min(wanted, this.#most);
    if (!this.#waiting.has(tenant) && this.#next() === undefined && this.#isFree(tenant, cost)) {
      this.#add(tenant, cost);
      return cost;
    }
    await new Promise<void>((call) => {
      const others = this.#waiting.get(tenant);
      if (others) others.push({ cost, call });
      else this.#waiting.set(tenant, [{ cost, call }]);
    });
    return cost;
  }

  giveBack(tenant: string, cost: number): void {
    this.#add(tenant, -cost);
    this.#callLater();
  }

  /** Calls one in each turn of the event loop: others are taken from their sockets between two of them. */
  #callLater(): void {
    if (this.#isCalling || this.#waiting.size === 0) return;
    this.#isCalling = true;
    setImmediate(() => {
      this.#isCalling = false;
      if (this.#callNext()) this.#callLater();
    });
  }

  #callNext(): boolean {
    const tenant = this.#next();
    if (tenant === undefined) return false;
    const [{ cost, call }, ...others] = this.#waiting.get(tenant) as [Waiting, ...Waiting[]];
    if (this.#taken + cost > this.#permits) return false;
    // To the end of the line, or out of it.
    this.#waiting.delete(tenant);
    if (others.length > 0) this.#waiting.set(tenant, others);
    this.#add(tenant, cost);
    call();
    return true;
  }

  /** The tenant whose turn it is. It keeps its turn until all the permits that it needs are free. */
  #next(): string | undefined {
    return this.#waiting.keys().find((tenant) => this.#isBelowMost(tenant, this.#waiting.get(tenant)![0]!.cost));
  }

  #isFree(tenant: string, cost: number): boolean {
    return this.#taken + cost <= this.#permits && this.#isBelowMost(tenant, cost);
  }

  #isBelowMost(tenant: string, cost: number): boolean {
    return this.#takenBy.of(tenant) + cost <= this.#most;
  }

  #add(tenant: string, change: number): void {
    this.#taken += change;
    this.#takenBy.add(tenant, change);
  }
}
