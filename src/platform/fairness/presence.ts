/** The time for which a tenant counts as present after it came, in milliseconds. */
const STAY = 1_000;

interface Visitor {
  tenant: string;
  at: number;
}

/** Remembers which tenants came last, and so tells which one is alone. */
export class Presence {
  #last: Visitor | undefined;
  /** The last who is not `#last`. */
  #other: Visitor | undefined;

  note(tenant: string): void {
    if (this.#last?.tenant !== tenant) this.#other = this.#last;
    this.#last = { tenant, at: performance.now() };
  }

  isAlone(tenant: string): boolean {
    const other = this.#last?.tenant === tenant ? this.#other : this.#last;
    return other === undefined || performance.now() - other.at > STAY;
  }
}
