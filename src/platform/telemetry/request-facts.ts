import { AsyncLocalStorage } from "node:async_hooks";

/** Facts about a request for the log, metrics and traces. */
export interface RequestFacts {
  requestId?: string;
  shopId?: string;
  caller?: { kind: string; id: string };
  /** The IP address of the client, unless its connection is closed. */
  address?: string | undefined;
  /** The plan of the caller's shops, or `several`. */
  plan?: string;
  /** The template of a REST route below the shop, such as `/products/{productId}`, or the path of another API. */
  route?: string;
  /** The kind of a GraphQL operation and its fields, such as `query shop.products`. */
  operation?: string;
  /** The error codes of the answer. */
  errors?: string;
  /** The body of a REST error, or the messages of GraphQL errors without the values that they quote. */
  errorBody?: string;
  /** The time that the request waited for events, which is not part of its duration. Milliseconds. */
  waited?: number;
  /** The REST request that the call of a tool stands for. */
  tool?: { method: string; path: string; status: number };
  /** How a simulation loses the answer. */
  lostAnswer?: "TIMEOUT" | "CONNECTION_CLOSED";
}

const requests = new AsyncLocalStorage<RequestFacts>();

/** Runs the work of a request, which adds facts with `addRequestFacts`. */
export function withRequestFacts<Result>(facts: RequestFacts, work: () => Promise<Result>): Promise<Result> {
  return requests.run(facts, work);
}

/** The facts of the current request. Undefined in the service's own work. */
export function requestFacts(): RequestFacts | undefined {
  return requests.getStore();
}

/** Adds facts to the current request. */
export function addRequestFacts(facts: RequestFacts): void {
  Object.assign(requests.getStore() ?? {}, facts);
}

/** Does work of the current request that only waits, and leaves its time out of the request's duration. */
export async function untimed<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    addRequestFacts({ waited: (requestFacts()?.waited ?? 0) + performance.now() - startedAt });
  }
}
