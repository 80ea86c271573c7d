import type { Middleware } from "koa";
import { activeSpan, failSpan, traced } from "../tracing.ts";
import { routeOf } from "./observe-requests.ts";

/** Traces requests, as parts of their callers' traces where those say so. @param isOwn tells which paths are not worth it */
export function traceRequests(isOwn: (path: string) => boolean): Middleware {
  return (ctx, next) => {
    if (isOwn(ctx.path)) return next();
    const { method, path } = ctx;
    const attributes = { "http.request.method": method, "url.path": path };
    return traced(
      () => ({ name: method, kind: "SERVER", cause: ctx.get("traceparent"), attributes }),
      async () => {
        await next();
        const route = routeOf(ctx);
        activeSpan()?.updateName(`${method} ${route}`).setAttributes({
          "http.route": route,
          "http.response.status_code": ctx.status,
          "merchant_api.request.id": ctx.state.requestId,
        });
        if (ctx.status >= 500) failSpan(String(ctx.status));
      },
    );
  };
}
