import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import type { Counts } from "../counts.ts";
import type { Queue } from "./queue.ts";
import type { Tenant } from "./tenants.ts";

/** The permits of a costly operation: as many as one tenant may have of ten. */
export const COSTLY = 3;
/** The bytes of an answer that count as one request more, since they are held in memory until they are sent. */
const BYTES_OF_REQUEST = 1024 * 1024;

/** The tickets of requests that were let in. */
export const tickets = new WeakMap<IncomingMessage, Ticket>();

/** A request that was let in. */
export class Ticket {
  /** The permits that it has. */
  permits = 0;

  /**
   * @param most the most requests in flight of its tenant
   * @param closed settles when the answer is sent or its connection has ended
   */
  constructor(
    readonly tenant: Tenant,
    readonly queue: Queue,
    readonly inFlight: Counts,
    readonly most: number,
    readonly closed: Promise<void>,
  ) {}

  /** Waits for as many permits as something costs. Those that it has are given back first: it never waits for itself. */
  async takePermits(cost: number): Promise<void> {
    this.giveBackPermits();
    this.permits = await this.queue.take(this.tenant.name, cost);
  }

  giveBackPermits(): void {
    if (this.permits > 0) this.queue.giveBack(this.tenant.name, this.permits);
    this.permits = 0;
  }

  /** Counts an answer as one request more for each MiB until it is sent. */
  countAnswer(bytes: number): void {
    // Over its share by one, the tenant is refused, and others keep theirs.
    const left = this.most + 1 - this.inFlight.of(this.tenant.name);
    const more = Math.min(left, Math.floor(bytes / BYTES_OF_REQUEST));
    for (let count = 0; count < more; count += 1) void this.inFlight.during(this.tenant.name, () => this.closed);
  }

  /** True while answers of its tenant take more than the tenant's share. */
  get isOver(): boolean {
    return this.inFlight.of(this.tenant.name) > this.most;
  }
}

/** The ticket of the request that is being answered. */
export function ticketOf({ req }: Context): Ticket {
  return tickets.get(req)!;
}
