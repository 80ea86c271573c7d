interface Limits {
  places: number;
  /** The most that one tenant has at a time. */
  placesEach: number;
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
  readonly #takenBy = new Map<string | undefined, number>();
  /** Who waits, by tenant. The tenant whose turn is next comes first. */
  readonly #waiting = new Map<string | undefined, Waiting[]>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Settles when the tenant has so many places, which are given back by `leave`. */
  async enter(tenant: string | undefined, places = 1): Promise<void> {
    if (!this.#waiting.has(tenant) && this.#mayTake(tenant, places)) return this.#take(tenant, places);
    await new Promise<void>((call) => {
      const others = this.#waiting.get(tenant);
      if (others) others.push({ places, call });
      else this.#waiting.set(tenant, [{ places, call }]);
    });
  }

  leave(tenant: string | undefined, places = 1): void {
    this.#taken -= places;
    const left = this.#takenBy.get(tenant)! - places;
    if (left > 0) this.#takenBy.set(tenant, left);
    else this.#takenBy.delete(tenant);
    while (this.#callNext());
  }

  #mayTake(tenant: string | undefined, places: number): boolean {
    const { places: all, placesEach } = this.#limits;
    const most = tenant === undefined ? all : placesEach;
    return this.#taken + places <= all && (this.#takenBy.get(tenant) ?? 0) + places <= most;
  }

  #take(tenant: string | undefined, places: number): void {
    this.#taken += places;
    this.#takenBy.set(tenant, (this.#takenBy.get(tenant) ?? 0) + places);
  }

  /** Tells whether there was somebody to call. */
  #callNext(): boolean {
    for (const [tenant, waiting] of this.#waiting) {
      const { places, call } = waiting[0]!;
      if (!this.#mayTake(tenant, places)) continue;
      this.#take(tenant, places);
      waiting.shift();
      // To the end of the line, or out of it.
      this.#waiting.delete(tenant);
      if (waiting.length > 0) this.#waiting.set(tenant, waiting);
      call();
      return true;
    }
    return false;
  }
}
