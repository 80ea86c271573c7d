import { currentVisit, runVisit, type Visit } from "../../platform/tenant.ts";
import { AppError } from "../errors.ts";

/** The most requests of one tenant that are under way, of which all but a few wait for a connection to PostgreSQL. */
const MOST_EACH = 64;
/** The most requests that are under way, for each connection to PostgreSQL. */
const MOST_BY_CONNECTION = 20;

/**
 * Lets requests in as long as there are not too many, in all and of one tenant, and refuses the others at once: what
 * would wait too long is better sent again later.
 */
export class Admission {
  readonly #most: number;
  #count = 0;
  readonly #counts = new Map<string, number>();

  constructor({ poolSize }: { poolSize: number }) {
    this.#most = poolSize * MOST_BY_CONNECTION;
  }

  /** Serves a request, which may do little before `admit` has been told whose it is. */
  async serve(work: () => Promise<void>): Promise<void> {
    const visit: Visit = { tenant: undefined };
    try {
      await runVisit(visit, work);
    } finally {
      this.#leave(visit);
    }
  }

  /**
   * Counts the request that is under way as this tenant's from now on: an address, and a shop once it is known.
   *
   * @throws AppError UNAVAILABLE when there are too many
   */
  admit(tenant: string): void {
    const visit = currentVisit();
    if (!visit) return;
    this.#leave(visit);
    const count = this.#counts.get(tenant) ?? 0;
    if (count >= MOST_EACH || this.#count >= this.#most) {
      throw new AppError("UNAVAILABLE", "Too many requests at once", { hint: "Send this one again in a moment." });
    }
    visit.tenant = tenant;
    this.#count += 1;
    this.#counts.set(tenant, count + 1);
  }

  #leave(visit: Visit): void {
    const { tenant } = visit;
    if (tenant === undefined) return;
    visit.tenant = undefined;
    this.#count -= 1;
    const left = this.#counts.get(tenant)! - 1;
    if (left > 0) this.#counts.set(tenant, left);
    else this.#counts.delete(tenant);
  }
}

/** Names those who come from an address, as long as nobody knows who they are. */
export function strangersAt(address: string): string {
  return `address ${address}`;
}
