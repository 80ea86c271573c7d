import { AsyncLocalStorage } from "node:async_hooks";

/** Facts about a piece of work for those who watch the service, as far as they are known yet. */
export interface VisitFacts {
  requestId?: string;
  shopId?: string;
  actor?: { kind: string; id: string };
  /** The plan of the actor's shops, or `several`. */
  plan?: string;
  /** The template of a REST route below the shop, such as `/products/{productId}`; another API's path. */
  route?: string;
  /** The kind of a GraphQL operation and its fields, such as `query shop.products`. */
  operation?: string;
  /** The codes of what went wrong. */
  errors?: string;
  /** The answer to a REST request that failed. */
  errorBody?: string;
}

/** Whose requests are. */
export interface Party {
  tenant: string;
  /** The part of the tenant that has a share of its own; undefined where all of it has one. */
  network?: string;
}

/** The number of requests that a tenant asks to have let in. */
export interface Demand extends Party {
  weight: number;
}

/** A piece of work, and whose it is as far as that is known yet. */
export class Visit {
  tenant: string | undefined;
  /** The part of the tenant that it is of, if that has parts. */
  network: string | undefined;
  /** The number of requests that it counts for, as long as it is somebody's. */
  weight = 0;
  /** The places that it has among the work that is being done. */
  places = 0;
  /** The tenant that it has them of: its own, or the strangers when that was not known yet. */
  placesOf = "";
  /** The time at which it got them, by `performance.now`. */
  begunAt = 0;
  /** The demand that was refused for want of room; undefined when none was. */
  refused: Demand | undefined;
  readonly facts: VisitFacts = {};

  constructor(tenant?: string) {
    this.tenant = tenant;
  }
}

const visits = new AsyncLocalStorage<Visit>();

/** Does the work of a visit. What it calls finds whose it is with `currentVisit`. */
export function runVisit<Result>(visit: Visit, work: () => Promise<Result>): Promise<Result> {
  return visits.run(visit, work);
}

/** The visit that is under way; undefined in work of the service's own. */
export function currentVisit(): Visit | undefined {
  return visits.getStore();
}

/** Adds to what is known of the visit that is under way. */
export function noteFacts(facts: VisitFacts): void {
  const visit = currentVisit();
  if (visit) Object.assign(visit.facts, facts);
}
