import { AsyncLocalStorage } from "node:async_hooks";

/** What is known of a request so far, for the log, metrics and traces. */
export interface RequestFacts {
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

const requests = new AsyncLocalStorage<RequestFacts>();

/** Does the work of a request, which adds to these facts by `addRequestFacts`. */
export function withRequestFacts<Result>(facts: RequestFacts, work: () => Promise<Result>): Promise<Result> {
  return requests.run(facts, work);
}

/** The facts of the request under way; undefined in the service's own work. */
export function requestFacts(): RequestFacts | undefined {
  return requests.getStore();
}

/** Adds to the facts of the request under way. */
export function addRequestFacts(facts: RequestFacts): void {
  Object.assign(requests.getStore() ?? {}, facts);
}
