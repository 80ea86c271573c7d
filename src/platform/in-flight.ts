import { Counts } from "./counts.ts";

/** Counts the work under way, in all and by tenant. */
export class InFlight {
  total = 0;
  readonly #byTenant = new Counts();

  /** The number of tenants that have work under way. */
  get tenants(): number {
    return this.#byTenant.size;
  }

  of(tenant: string): number {
    return this.#byTenant.of(tenant);
  }

  /** Counts the work until it settles. */
  async during<Result>(tenant: string, work: () => Promise<Result>): Promise<Result> {
    this.#add(tenant, 1);
    try {
      return await work();
    } finally {
      this.#add(tenant, -1);
    }
  }

  #add(tenant: string, change: 1 | -1): void {
    this.total += change;
    this.#byTenant.add(tenant, change);
  }
}
