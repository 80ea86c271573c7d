import { Tally } from "./tally.ts";

interface Limits {
  places: number;
  /** The most that one tenant has at a time, which may change. */
  placesEach: (tenant: string) => number;
}

interface Waiting {
  places: number;
  call: () => void;
}

/**
 * A queue for a number of places in which tenants take turns, so that one who asks for many does not keep the others
 * waiting. The service's own work is the tenant `undefined`, which may have all places.
 */
export class FairQueue {
  readonly #limits: Limits;
  #taken = 0;
  readonly #takenBy = new Tally<string | undefined>();
  /** The waiting, by tenant; the tenant whose turn is next comes first. */
  readonly #waiting = new Map<string | undefined, Waiting[]>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Settles when the tenant has so many places, which are given back by `leave`. Tells whether it had to wait for its
   * turn.
   */
  async enter(tenant: string | undefined, places = 1): Promise<boolean> {
    const isFirst = !this.#waiting.has(tenant) && this.#next() === undefined;
    if (isFirst && this.#isFree(places) && this.#isOfShare(tenant, places)) {
      this.#take(tenant, places);
      return false;
    }
    await new Promise<void>((call) => {
      const others = this.#waiting.get(tenant);
      if (others) others.push({ places, call });
      else this.#waiting.set(tenant, [{ places, call }]);
    });
    return true;
  }

  /** The number of those who wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, others) => sum + others.length, 0);
  }

  leave(tenant: string | undefined, places = 1): void {
    this.#taken -= places;
    this.#takenBy.add(tenant, -places);
    while (this.#callNext());
  }

  #isFree(places: number): boolean {
    return this.#taken + places <= this.#limits.places;
  }

  #isOfShare(tenant: string | undefined, places: number): boolean {
    const most = tenant === undefined ? this.#limits.places : this.#limits.placesEach(tenant);
    return this.#takenBy.of(tenant) + places <= most;
  }

  #take(tenant: string | undefined, places: number): void {
    this.#taken += places;
    this.#takenBy.add(tenant, places);
  }

  /** The one whose turn it is. Who needs more places than are free keeps the turn, which would never come otherwise. */
  #next(): (Waiting & { tenant: string | undefined }) | undefined {
    for (const [tenant, [first]] of this.#waiting) {
      if (this.#isOfShare(tenant, first!.places)) return { tenant, ...first! };
    }
    return undefined;
  }

  /** Tells whether somebody was called. */
  #callNext(): boolean {
    const next = this.#next();
    if (!next || !this.#isFree(next.places)) return false;
    const { tenant, places, call } = next;
    const [, ...others] = this.#waiting.get(tenant)!;
    // To the end of the line, or out of it.
    this.#waiting.delete(tenant);
    if (others.length > 0) this.#waiting.set(tenant, others);
    this.#take(tenant, places);
    call();
    return true;
  }
}
