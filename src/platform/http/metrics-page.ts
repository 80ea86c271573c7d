import type { Middleware } from "koa";
import type { Metrics } from "../telemetry/metrics.ts";

/** Serves the metrics for Prometheus. */
export function metricsPage(metrics: Metrics): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/metrics") return next();
    const { type, text } = await metrics.expose();
    ctx.type = type;
    ctx.body = text;
  };
}
