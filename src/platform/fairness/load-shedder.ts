import { hash } from "node:crypto";
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

interface Options {
  /** Tells whether there is no room for what was refused before. */
  refuses: (demand: Demand) => boolean;
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
  readonly #count: Counter<keyof RequestLabels>;
  readonly #refusals: LRUCache<string, Refusal>;

  constructor({ refuses, logger, metrics }: Options) {
    this.#refuses = refuses;
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
      const caller = digestCaller(ctx.req);
      if (caller === undefined) return;
      const known = this.#refusals.get(caller);
      if (known) known.demand = demand;
      else
        this.#refusals.set(caller, { demand, headers: headersOf(ctx), body, labels: labelsOf(ctx), facts, repeats: 0 });
    };
  }

  /** Puts the shedder in front of what answers requests. */
  guard(listener: RequestListener): RequestListener {
    return (request, response) => {
      const caller = this.#refusals.size > 0 ? digestCaller(request) : undefined;
      const refusal = caller && this.#refusals.get(caller);
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

/**
 * Names who sends a request, from where, and to which API and shop, by a digest: a secret is not kept. Undefined for
 * strangers. A refusal may be for what others ask for at an address, and another till may share the credential.
 */
function digestCaller({ url = "", headers, socket }: IncomingMessage): string | undefined {
  const { authorization, "x-service-access-token": key, cookie, "x-forwarded-for": forwardedFor } = headers;
  if (authorization === undefined && key === undefined && cookie === undefined) return undefined;
  // Such as /graphql, /api/v1/shop_… and /api/v1/openapi.json, which is never refused.
  const [place] = /^(\/[^/?]*){1,3}/.exec(url) ?? [];
  return hash(
    "sha256",
    JSON.stringify([place, authorization, key, cookie, socket.remoteAddress, forwardedFor]),
    "base64",
  );
}

function headersOf({ res }: Context): Map<string, string> {
  const present = REPEATED_HEADERS.filter((name) => res.hasHeader(name));
  return new Map(present.map((name) => [name, String(res.getHeader(name))]));
}
