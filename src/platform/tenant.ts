import { AsyncLocalStorage } from "node:async_hooks";

/** A piece of work, and whose it is as far as that is known yet. */
export interface Visit {
  tenant: string | undefined;
  /** The number of requests that it counts for, as long as it is somebody's. */
  weight: number;
  /** The places that it has among the work that is being done. */
  places: number;
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
