import type { Middleware } from "koa";
import { currentVisit } from "../fairness/visit.ts";
import { activeSpan, failSpan, traced } from "../telemetry/tracing.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { routeOf } from "./observe-requests.ts";

/** Traces requests but for probes, as parts of their callers' traces where those say so. */
export function traceRequests(isProbe: (path: string) => boolean): Middleware {
  return (ctx, next) => {
    if (isProbe(ctx.path)) return next();
    const { method, path } = ctx;
    return traced(
      () => ({
        name: method,
        kind: "SERVER",
        cause: ctx.get("traceparent"),
        attributes: { "http.request.method": method, "url.path": maskSecrets(path) },
      }),
      async () => {
        await next();
        const route = routeOf(ctx);
        activeSpan()?.updateName(`${method} ${route}`).setAttributes({
          "http.route": route,
          "http.response.status_code": ctx.status,
          "merchant_api.request.id": currentVisit()?.facts.requestId,
        });
        if (ctx.status >= 500) failSpan(String(ctx.status));
      },
    );
  };
}
