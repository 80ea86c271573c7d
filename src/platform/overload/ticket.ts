import type { InFlight } from "../in-flight.ts";
import type { Queue } from "./queue.ts";
import type { Tenant } from "./tenants.ts";

/** The permits of an operation that is slow to find or costly: as many as one tenant may have of ten. */
export const COSTLY = 3;
/** The bytes of an answer that count as one request more, since they are held in memory until they are sent. */
const BYTES_OF_REQUEST = 1024 * 1024;

interface Surroundings {
  tenant: Tenant;
  inFlight: InFlight;
  /** The most requests in flight of one tenant. */
  most: number;
  queue: Queue;
  /** Settles when the answer is sent or its connection has ended. */
  closed: Promise<void>;
}

/** A request that was let in. */
export class Ticket {
  readonly #surroundings: Surroundings;
  #permits = 0;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  get tenant(): Tenant {
    return this.#surroundings.tenant;
  }

  /** The permits that it has. */
  get permits(): number {
    return this.#permits;
  }

  /** True while answers of its tenant take more memory than the tenant's share. */
  get isOver(): boolean {
    const { inFlight, tenant, most } = this.#surroundings;
    return inFlight.of(tenant.name) > most;
  }

  /** Waits for as many permits as something costs. Those that it has are given back first: it never waits for itself. */
  async takePermits(cost: number): Promise<void> {
    this.giveBackPermits();
    const { queue, tenant } = this.#surroundings;
    this.#permits = await queue.take(tenant.name, cost);
  }

  giveBackPermits(): void {
    if (this.#permits > 0) this.#surroundings.queue.giveBack(this.#surroundings.tenant.name, this.#permits);
    this.#permits = 0;
  }

  /** Counts an answer as one request more for each MiB until it is sent. */
  countAnswer(bytes: number): void {
    const { inFlight, tenant, most, closed } = this.#surroundings;
    // Over its share by one, the tenant is refused, and others keep theirs.
    const left = most + 1 - inFlight.of(tenant.name);
    const more = Math.min(left, Math.floor(bytes / BYTES_OF_REQUEST));
    for (let count = 0; count < more; count += 1) void inFlight.during(tenant.name, () => closed);
  }
}
