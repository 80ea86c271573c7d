import { currentVisit, type Visit } from "../../platform/tenant.ts";
import { AppError } from "../errors.ts";

/** The most requests of one tenant that are under way, of which all but a few wait for a connection to PostgreSQL. */
const MOST_EACH = 128;
/** The most requests that are under way, for each connection to PostgreSQL. */
const MOST_BY_CONNECTION = 20;

/**
 * Lets requests in as long as there are not too many, in all and of one tenant, and refuses the others at once: what
 * would wait too long is better sent again later.
 */
export class Admission {
  readonly #most: number;
  #total = 0;
  readonly #counts = new Map<string, number>();

  constructor({ poolSize }: { poolSize: number }) {
    this.#most = poolSize * MOST_BY_CONNECTION;
  }

  /**
   * Counts the request that is under way as this tenant's from now on: an address, and a shop once it is known.
   *
   * @throws AppError UNAVAILABLE when there are too many
   */
  admit(tenant: string): void {
    const visit = currentVisit();
    if (visit) this.#count(visit, tenant, 1);
  }

  /**
   * Counts the request that is under way as so many: it may do as much, and hold as large an answer.
   *
   * @throws AppError UNAVAILABLE when that is too much
   */
  weigh(weight: number): void {
    const visit = currentVisit();
    if (visit?.tenant !== undefined) this.#count(visit, visit.tenant, weight);
  }

  #count(visit: Visit, tenant: string, weight: number): void {
    this.leave(visit);
    const count = this.#counts.get(tenant) ?? 0;
    if (count + weight > MOST_EACH || this.#total + weight > this.#most) {
      throw new AppError("UNAVAILABLE", "Too many requests at once", { hint: "Send this one again in a moment." });
    }
    Object.assign(visit, { tenant, weight });
    this.#total += weight;
    this.#counts.set(tenant, count + weight);
  }

  /** Counts a request no longer. */
  leave(visit: Visit): void {
    const { tenant, weight } = visit;
    if (tenant === undefined) return;
    visit.tenant = undefined;
    this.#total -= weight;
    const left = this.#counts.get(tenant)! - weight;
    if (left > 0) this.#counts.set(tenant, left);
    else this.#counts.delete(tenant);
  }
}

/** Names those who come from an address, as long as nobody knows who they are. */
export function strangersAt(address: string): string {
  return `address ${address}`;
}
