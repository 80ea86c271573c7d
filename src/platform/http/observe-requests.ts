import type { Context, Middleware } from "koa";
import type { Counter } from "prom-client";
import type { Metrics } from "../telemetry/metrics.ts";
import { currentVisit } from "../fairness/visit.ts";

/** The methods that a route has. Clients may send some thirty others. */
const methods = new Set(["GET", "HEAD", "POST"]);

const labelNames = ["method", "route", "status", "plan"] as const;

export type RequestLabels = Record<(typeof labelNames)[number], string | number>;

/** The counter of requests that were answered. */
export function countOfRequests(metrics: Metrics): Counter<keyof RequestLabels> {
  return metrics.counter("requests_total", "Requests that were answered.", [...labelNames]);
}

/** Counts the requests that are answered within a visit, and measures what they take. */
export function observeRequests(metrics: Metrics): Middleware {
  const count = countOfRequests(metrics);
  const duration = metrics.histogram("request_duration_seconds", "Time from a request to its answer.", [
    "method",
    "route",
  ]);
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const labels = labelsOf(ctx);
    const { method, route } = labels;
    count.inc(labels);
    duration.observe({ method, route }, (performance.now() - startedAt) / 1_000);
  };
}

/** The labels of a request that was answered within a visit. */
export function labelsOf(ctx: Context): RequestLabels {
  const method = methods.has(ctx.method) ? ctx.method : "other";
  return { method, route: routeOf(ctx), status: ctx.status, plan: currentVisit()?.facts.plan ?? "unknown" };
}

/** The route that a request took: a template, and the same word for all that there is no route for. */
export function routeOf(ctx: Context): string {
  // A router's pattern is whole, with the path above the shop.
  return ctx._matchedRoute ?? currentVisit()?.facts.route ?? "unmatched";
}
