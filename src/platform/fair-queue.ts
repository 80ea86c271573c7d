interface Limits {
  places: number;
  /** The most that one tenant has at a time. */
  placesEach: number;
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
  readonly #waiting = new Map<string | undefined, (() => void)[]>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Settles when the tenant has a place, which is given back by `leave`. */
  async enter(tenant: string | undefined): Promise<void> {
    if (this.#mayTake(tenant)) return this.#take(tenant);
    await new Promise<void>((resolve) => {
      const others = this.#waiting.get(tenant);
      if (others) others.push(resolve);
      else this.#waiting.set(tenant, [resolve]);
    });
  }

  leave(tenant: string | undefined): void {
    this.#taken -= 1;
    const left = this.#takenBy.get(tenant)! - 1;
    if (left > 0) this.#takenBy.set(tenant, left);
    else this.#takenBy.delete(tenant);
    this.#callNext();
  }

  #mayTake(tenant: string | undefined): boolean {
    const { places, placesEach } = this.#limits;
    const most = tenant === undefined ? places : placesEach;
    return this.#taken < places && (this.#takenBy.get(tenant) ?? 0) < most;
  }

  #take(tenant: string | undefined): void {
    this.#taken += 1;
    this.#takenBy.set(tenant, (this.#takenBy.get(tenant) ?? 0) + 1);
  }

  #callNext(): void {
    for (const [tenant, waiting] of this.#waiting) {
      if (!this.#mayTake(tenant)) continue;
      this.#take(tenant);
      const call = waiting.shift()!;
      // To the end of the line, or out of it.
      this.#waiting.delete(tenant);
      if (waiting.length > 0) this.#waiting.set(tenant, waiting);
      return call();
    }
  }
}
