import { EventLoopLoad } from "./event-loop-load.ts";
import { Presence } from "./presence.ts";

/** Tells which tenants are in the way of others: those that are not alone while the event loop is busy. */
export class Crowd {
  readonly #presence = new Presence();
  readonly #load = new EventLoopLoad();

  /** Notes that a tenant is here. */
  note(tenant: string): void {
    this.#presence.note(tenant);
  }

  isInTheWay(tenant: string): boolean {
    return !this.#presence.isAlone(tenant) && this.#load.isBusy();
  }
}
