import { Tally } from "./tally.ts";
import type { Demand } from "./visit.ts";

interface Limits {
  most: number;
  /** The most of one tenant. */
  mostEach: number;
}

/**
 * Counts the requests that tenants have under way, and tells whether there is room for more. Nobody may have more than
 * are left, which always leaves some: of three who ask for all they can get, each has a quarter. In the same way the
 * networks of one tenant share what that may have.
 */
export class Shares {
  readonly #limits: Limits;
  readonly #tenants = new Tally<string>();
  readonly #networks = new Tally<string>();
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** The number that a tenant has. */
  of(tenant: string): number {
    return this.#tenants.of(tenant);
  }

  hasRoom({ tenant, network, weight }: Demand): boolean {
    const { most, mostEach } = this.#limits;
    const count = this.of(tenant);
    if (count + weight > Math.min(mostEach, most - this.#total)) return false;
    return network === undefined || this.#networks.of(network) + weight <= mostEach - count;
  }

  /** Changes what a tenant has by a number that may be negative. */
  add({ tenant, network, weight }: Demand): void {
    this.#total += weight;
    this.#tenants.add(tenant, weight);
    if (network !== undefined) this.#networks.add(network, weight);
  }
}
