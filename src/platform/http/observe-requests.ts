import type { Context, Middleware } from "koa";
import type { Metrics } from "../telemetry/metrics.ts";
import { currentVisit } from "../fairness/visit.ts";

/** The methods that a route has. Clients may send some thirty others. */
const methods = new Set(["GET", "HEAD", "POST"]);

/** Counts the requests that are answered within a visit, and measures what they take. */
export function observeRequests(metrics: Metrics): Middleware {
  const labels = ["method", "route", "status", "plan"] as const;
  const count = metrics.counter("requests_total", "Requests that were answered.", [...labels]);
  const duration = metrics.histogram("request_duration_seconds", "Time from a request to its answer.", [
    "method",
    "route",
  ]);
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const method = methods.has(ctx.method) ? ctx.method : "other";
    const route = routeOf(ctx);
    count.inc({ method, route, status: ctx.status, plan: currentVisit()?.facts.plan ?? "unknown" });
    duration.observe({ method, route }, (performance.now() - startedAt) / 1_000);
  };
}

/** The route that a request took: a template, and the same word for all that there is no route for. */
export function routeOf(ctx: Context): string {
  // A router's pattern is whole, with the path above the shop.
  return ctx._matchedRoute ?? currentVisit()?.facts.route ?? "unmatched";
}
