import type { IncomingMessage, RequestListener } from "node:http";
import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import type { Counter } from "prom-client";
import { countOfRequests, labelsOf, type RequestLabels } from "../http/observe-requests.ts";
import { requestIdOf } from "../http/log-requests.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { currentVisit, type Demand, type VisitFacts } from "./visit.ts";

/** The time for which a refusal is repeated, in milliseconds. The next one is made, logged and kept as a whole again. */
const LIFETIME = 1_000;
const MAX_CALLERS = 1_000;

/** The headers of a refusal that do not depend on the request. */
const REPEATED_HEADERS = ["content-type", "content-length", "cache-control", "retry-after", "vary"];

interface Refusal {
  demand: Demand;
  headers: Map<string, string>;
  body: string;
  labels: RequestLabels;
  facts: VisitFacts;
  repeats: number;
}

/** One caller, or several who are refused alike. */
export interface Caller {
  name: string;
  /** True for all who are not known to have a valid credential. */
  isStranger: boolean;
}

interface Options {
  /** Tells whether there is no room for what was refused before. */
  refuses: (demand: Demand) => boolean;
  identify: (request: IncomingMessage) => Caller;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Repeats a caller's refusal as long as there is no room for what was refused, before anything else is done for the
 * request. Refusing the long way costs almost a third of a small read: a caller who asks for ten times the capacity would
 * take most of the processor with refused requests.
 */
export class LoadShedder {
  readonly #refuses;
  readonly #identify;
  readonly #count: Counter<keyof RequestLabels>;
  readonly #refusals: LRUCache<string, Refusal>;

  constructor({ refuses, identify, logger, metrics }: Options) {
    this.#refuses = refuses;
    this.#identify = identify;
    this.#count = countOfRequests(metrics);
    this.#refusals = new LRUCache<string, Refusal>({
      max: MAX_CALLERS,
      ttl: LIFETIME,
      ttlAutopurge: true,
      dispose: ({ repeats, facts: { shopId, actor } }) => {
        if (repeats === 0) return;
        logger.info({ requests: repeats, shopId, actor: actor && `${actor.kind} ${actor.id}` }, "requests refused");
      },
    });
  }

  /** Remembers, within a visit, whom it refused and what was answered. */
  recordRefusals(): Middleware {
    return async (ctx, next) => {
      await next();
      const { refused: demand, facts } = currentVisit() ?? {};
      const { body } = ctx;
      if (!demand || !facts || ctx.status !== 503 || typeof body !== "string") return;
      const caller = this.#identify(ctx.req);
      // A tenant whose credential was taken for a stranger's was refused for itself alone.
      if (caller.isStranger !== (demand.network !== undefined)) return;
      // Strangers of one network are not refused what is light because of what is heavy: it may be another's.
      if (caller.isStranger) demand.weight = 1;
      const name = nameOf(ctx.req, caller);
      const known = this.#refusals.get(name);
      if (known) known.demand = demand;
      else
        this.#refusals.set(name, { demand, headers: headersOf(ctx), body, labels: labelsOf(ctx), facts, repeats: 0 });
    };
  }

  /** Puts the shedder in front of what answers requests. */
  guard(listener: RequestListener): RequestListener {
    return (request, response) => {
      const refusal =
        this.#refusals.size > 0 ? this.#refusals.get(nameOf(request, this.#identify(request))) : undefined;
      if (!refusal || !this.#refuses(refusal.demand)) return listener(request, response);
      refusal.repeats += 1;
      this.#count.inc(refusal.labels);
      response.setHeaders(refusal.headers);
      response.setHeader("X-Request-Id", requestIdOf(request));
      response.writeHead(503).end(refusal.body);
    };
  }

  /** Logs the repeats that were not logged yet. */
  stop(): void {
    this.#refusals.clear();
  }
}

/** Names a caller of an API, such as /graphql, or /api/v1/shop for any shop. */
function nameOf({ url = "" }: IncomingMessage, { name }: Caller): string {
  const [place] = /^(\/[^/?_]*){1,3}/.exec(url) ?? [];
  return `${place} ${name}`;
}

function headersOf({ res }: Context): Map<string, string> {
  const present = REPEATED_HEADERS.filter((name) => res.hasHeader(name));
  return new Map(present.map((name) => [name, String(res.getHeader(name))]));
}
