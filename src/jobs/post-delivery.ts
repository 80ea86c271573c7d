import { Agent, Pool, type Dispatcher } from "undici";
import { ErrorClass } from "../core/webhooks/error-class.ts";
import { checkTargetUrl } from "../core/webhooks/target-url.ts";
import { remember } from "../platform/remember.ts";
import { createTargetConnector, type ConnectOptions } from "./connect-target.ts";
import { Connection } from "./connection.ts";
import { Exchange, type AttemptOutcome } from "./exchange.ts";

/** For everything, from the name's look-up to the end of the answer. Milliseconds. */
const TIMEOUT = 10_000;
/** How long a connection waits for the next delivery. Milliseconds. */
const KEEP_ALIVE = 10_000;
const MAX_HEADERS = 16 * 1024;

export interface Transport {
  /** Makes one attempt. A receiver that fails is an outcome: what this throws is a fault of ours. */
  post: (url: string, headers: Record<string, string>, body: string) => Promise<AttemptOutcome>;
  /** Lets attempts end, and closes the connections. */
  close: () => Promise<void>;
}

/**
 * Posts deliveries: to public addresses only, without following redirects, within ten seconds, and reading at most
 * 16 KiB of the answer. Connections are kept for the next delivery to the same origin.
 */
export function createTransport(options: ConnectOptions): Transport {
  const connectTarget = createTargetConnector(options);
  // There is no limit of connections to an origin, where one endpoint could make another of the same host wait and
  // time out: there are as many as attempts at a time, and the scheduler limits those.
  const agent = new Agent({
    factory: (origin, poolOptions) =>
      new Pool(origin, { ...poolOptions, factory: (...args) => new Connection(...args, connectTarget) }),
    // An upgrade to HTTP/2 would bring streams, pings and header tables for an attacker to play with.
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE,
    keepAliveMaxTimeout: KEEP_ALIVE,
    maxHeaderSize: MAX_HEADERS,
    // The deadline ends everything; these would only be more timers.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const readTarget = remember((url: string) => parseTarget(url, options.allowLoopback));

  async function post(url: string, headers: Record<string, string>, body: string): Promise<AttemptOutcome> {
    const { problem, origin, path } = readTarget(url);
    if (problem !== undefined) return refused(problem);
    const request = { origin, path, method: "POST", headers, body } as const;
    const startedAt = performance.now();
    const first = await send(request, startedAt);
    // The receiver closed an idle connection just as we took it: that is nobody's failure.
    return first.isStale ? (await send(request, startedAt)).outcome : first.outcome;
  }

  async function send(request: Dispatcher.DispatchOptions, startedAt: number): Promise<Exchange> {
    const exchange = new Exchange(startedAt, TIMEOUT);
    agent.dispatch(request, exchange);
    await exchange.outcome;
    return exchange;
  }

  return { post, close: () => agent.close() };
}

/** Where a request to the URL goes, or what is wrong with it. */
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
    retryAfter: null,
    timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
  };
}
