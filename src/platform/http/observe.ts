import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import type { Counter } from "prom-client";
import { maskSecrets } from "../mask-secrets.ts";
import { oneLine } from "../texts.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { withRequestFacts, type RequestFacts } from "../telemetry/request-facts.ts";
import { activeSpan, failSpan, traced, type SpanStart } from "../telemetry/tracing.ts";

/** A request id that a client may send: a UUID, a ULID, a trace id and the like. */
const wellFormed = /^[\w.:-]{8,64}$/;

/** The methods that routes use. Clients may send about thirty others. */
const methods = new Set(["GET", "HEAD", "POST"]);

type Label = "method" | "route" | "status" | "plan";

/** An answered request. */
export interface AnsweredRequest {
  ctx: Context;
  facts: RequestFacts;
  /** The time to its answer without waiting for events, in milliseconds. */
  duration: number;
}

interface Options {
  logger: Logger;
  metrics: Metrics;
  trustedProxies: number;
  /** Probes are not traced, and are logged only when they fail. */
  isProbe: (path: string) => boolean;
  onDone: (request: AnsweredRequest) => void;
}

/** Gives each request an id, and logs, counts, measures and traces it. */
export function observe({ logger, metrics, trustedProxies, isProbe, onDone }: Options): Middleware {
  const measure = measureRequests(metrics);
  const warn = warnOfProxy(trustedProxies, logger);
  return (ctx, next) => {
    warn(ctx);
    const startedAt = performance.now();
    const facts: RequestFacts = { requestId: requestIdOf(ctx.req) };
    ctx.set("X-Request-Id", facts.requestId!);
    const answer = async () => {
      await next();
      const request = { ctx, facts, duration: performance.now() - startedAt - (facts.waited ?? 0) };
      measure(request);
      // Inside the span, so that the log line has the trace id.
      if (!isProbe(ctx.path) || ctx.status !== 200) logger.info(describe(request), "request");
      // For a debugging operator alone: a message names what the client sent.
      if (facts.errorBody && logger.isLevelEnabled("debug")) {
        logger.debug({ answer: oneLine(maskSecrets(facts.errorBody)) }, "request refused");
      }
      completeSpan(request);
      onDone(request);
    };
    return withRequestFacts(facts, () => (isProbe(ctx.path) ? answer() : traced(() => spanOf(ctx), answer)));
  };
}

/** The request's id if it is well-formed and may be logged, otherwise a new one. */
export function requestIdOf({ headers: { "x-request-id": given } }: IncomingMessage): string {
  const isUsable = typeof given === "string" && wellFormed.test(given) && maskSecrets(given) === given;
  return isUsable ? given : randomUUID();
}

/** The counter of answered requests. */
export function answeredRequests(metrics: Metrics): Counter<Label> {
  return metrics.counter("requests_total", "Requests with a response.", ["method", "route", "status", "plan"]);
}

/** The label of a method. */
export function methodLabel(method = ""): string {
  return methods.has(method) ? method : "other";
}

function measureRequests(metrics: Metrics): (request: AnsweredRequest) => void {
  const answered = answeredRequests(metrics);
  const durations = metrics.histogram("request_duration_seconds", "Duration of requests.", ["method", "route"]);
  return ({ ctx, facts, duration }) => {
    const labels = { method: methodLabel(ctx.method), route: routeOf(ctx, facts) };
    answered.inc({ ...labels, status: ctx.status, plan: facts.plan ?? "unknown" });
    durations.observe(labels, duration / 1_000);
  };
}

/** The template of the route, or one label for all requests without a route. */
function routeOf(ctx: Context, facts: RequestFacts): string {
  // The router's pattern is complete; `facts.route` starts below the shop.
  return ctx._matchedRoute ?? facts.route ?? "unmatched";
}

/** Continues the client's trace, if it sends one. */
function spanOf(ctx: Context): SpanStart {
  const attributes = { "http.request.method": ctx.method, "url.path": maskSecrets(ctx.path) };
  return { name: ctx.method, kind: "SERVER", cause: ctx.get("traceparent"), attributes };
}

function completeSpan({ ctx, facts }: AnsweredRequest): void {
  const route = routeOf(ctx, facts);
  activeSpan()?.updateName(`${ctx.method} ${route}`).setAttributes({
    "http.route": route,
    "http.response.status_code": ctx.status,
    "merchant_api.request.id": facts.requestId,
  });
  if (ctx.status >= 500) failSpan(String(ctx.status));
}

/**
 * The fields of a log line. Query strings, headers and bodies are left out because they may hold secrets. Secrets in
 * the path are masked.
 */
function describe({ ctx, facts, duration }: AnsweredRequest): Record<string, unknown> {
  const { shopId, caller, route, operation, errors, waited } = facts;
  const { method, status, response } = ctx;
  return {
    method,
    path: oneLine(maskSecrets(ctx.path)),
    status,
    ms: Math.round(duration * 10) / 10,
    bytes: response.length ?? 0,
    shopId,
    actor: caller && `${caller.kind} ${caller.id}`,
    route,
    operation,
    errors,
    waitedMs: waited && Math.round(waited),
  };
}

/** Warns once when requests seem to come through a proxy that TRUSTED_PROXIES does not count. */
function warnOfProxy(trustedProxies: number, logger: Logger): (ctx: Context) => void {
  let hasWarned = trustedProxies > 0;
  return (ctx) => {
    if (hasWarned || ctx.get("X-Forwarded-For") === "") return;
    hasWarned = true;
    logger.warn(
      "A request has X-Forwarded-For, which is ignored because TRUSTED_PROXIES is 0. If the service runs behind a proxy, set it: otherwise all clients share the proxy's address and one login limit.",
    );
  };
}
