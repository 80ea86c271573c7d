import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import type { Counts } from "../counts.ts";
import type { Queue } from "./queue.ts";
import type { Tenant } from "./tenants.ts";

/** The permits of a costly operation: a tenant's maximum with ten connections. */
export const COSTLY = 3;
/** Bytes of an answer that count as one more request, because answers stay in memory until they are sent. */
const BYTES_OF_REQUEST = 1024 * 1024;

/** The tickets of admitted requests. */
export const tickets = new WeakMap<IncomingMessage, Ticket>();

/** An admitted request. */
export class Ticket {
  /** The permits held. */
  permits = 0;

  /**
   * @param most requests in flight of its tenant
   * @param closed settles when the answer is sent or its connection has ended
   */
  constructor(
    readonly tenant: Tenant,
    readonly queue: Queue,
    readonly inFlight: Counts,
    readonly most: number,
    readonly closed: Promise<void>,
  ) {}

  /** Waits for permits of this cost. Returns held permits first, so that a request never waits for itself. */
  async takePermits(cost: number): Promise<void> {
    this.giveBackPermits();
    this.permits = await this.queue.take(this.tenant.name, cost);
  }

  giveBackPermits(): void {
    if (this.permits > 0) this.queue.giveBack(this.tenant.name, this.permits);
    this.permits = 0;
  }

  /** Counts each MiB of an answer as one more request until it is sent. */
  countAnswer(bytes: number): void {
    // Stops at one over the limit, which is enough to refuse the tenant without taking others' places.
    const left = this.most + 1 - this.inFlight.of(this.tenant.name);
    const more = Math.min(left, Math.floor(bytes / BYTES_OF_REQUEST));
    for (let count = 0; count < more; count += 1) void this.inFlight.during(this.tenant.name, () => this.closed);
  }

  /** True while the tenant's requests and answers exceed its limit. */
  get isOver(): boolean {
    return this.inFlight.of(this.tenant.name) > this.most;
  }
}

/** The ticket of the current request. */
export function ticketOf({ req }: Context): Ticket {
  return tickets.get(req)!;
}
