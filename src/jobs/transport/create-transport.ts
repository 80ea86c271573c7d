import type { Dispatcher } from "undici";
import { ErrorClass } from "../../core/model/webhooks/error-class.ts";
import { checkTargetUrl } from "../../core/webhooks/endpoints/target-url.ts";
import { memoize } from "../../platform/memoize.ts";
import type { Egress } from "../../platform/server-url.ts";
import { createTargetConnector, trustAlso, type ConnectOptions } from "./connect-target.ts";
import type { ReceiverConnection } from "./connection.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { Exchange, type AttemptOutcome } from "./exchange.ts";

/** The time-out of an attempt, from the DNS look-up to the end of the answer. Milliseconds. */
const TIMEOUT = 10_000;

export interface Transport {
  /** Makes one attempt. A failing receiver is an outcome; errors that this throws are faults of this process. */
  post: (url: string, headers: Record<string, string>, body: string) => Promise<AttemptOutcome>;
  /** Waits for attempts and closes the connections. */
  close: () => Promise<void>;
}

/**
 * Creates a transport that posts to public addresses only, without redirects, within ten seconds, and reads at most 16
 * KiB of the answer. Connections are reused for the same origin.
 */
export function createTransport(options: ConnectOptions): Transport {
  const connections = new ConnectionPool(createTargetConnector(options));
  const readTarget = memoize((url: string) => parseTarget(url, options.allowLoopback));

  async function post(url: string, headers: Record<string, string>, body: string): Promise<AttemptOutcome> {
    const { problem, origin, path } = readTarget(url);
    if (problem !== undefined) return refused(problem);
    const request = { path, method: "POST", headers, body } as const;
    const startedAt = performance.now();
    const first = await send(connections.take(origin), request, startedAt);
    // The receiver closed the idle connection as it was reused, which is no one's failure.
    const last = first.isStale ? await send(connections.takeNew(origin), request, startedAt) : first;
    return last.outcome;
  }

  async function send(
    connection: ReceiverConnection,
    request: Dispatcher.DispatchOptions,
    startedAt: number,
  ): Promise<Exchange> {
    const exchange = new Exchange(connection, startedAt, TIMEOUT);
    try {
      connection.dispatch(request, exchange);
      await exchange.outcome;
      return exchange;
    } finally {
      connections.giveBack(connection, { isUsable: exchange.isWhole });
    }
  }

  return { post, close: () => connections.close() };
}

/** Creates a transport with the installation's proxy and authorities. */
export function transportOf({ proxy, authorities }: Egress, allowLoopback: boolean): Transport {
  return createTransport({ allowLoopback, proxy, secureContext: authorities && trustAlso(authorities) });
}

/** Splits a URL into origin and path, or describes what is wrong with it. */
function parseTarget(url: string, allowLoopback: boolean): { problem?: string; origin: string; path: string } {
  const problem = checkTargetUrl(url, allowLoopback);
  if (problem !== undefined) return { problem, origin: "", path: "" };
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

function refused(error: string): AttemptOutcome {
  return {
    status: null,
    errorClass: ErrorClass.TARGET_REFUSED,
    error,
    responseBody: null,
    responseHeaders: null,
    isSent: false,
    retryAfter: null,
    timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
  };
}
