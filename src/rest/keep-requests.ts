import type { Middleware } from "koa";
import type { RequestLog } from "../core/requests/request-log.ts";
import { currentVisit } from "../platform/fairness/visit.ts";
import { maskSecrets } from "../platform/mask-secrets.ts";

/** Keeps what an API key asked for and got, for the shop's own developers: refusals too, once the key is known. */
export function keepRequests(log: RequestLog): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const { requestId, shopId, actor, route, errorBody = null } = currentVisit()?.facts ?? {};
    if (actor?.kind !== "apiKey" || !requestId || !shopId || !route) return;
    log.note({
      shopId,
      requestId,
      apiKeyId: actor.id,
      method: ctx.method,
      route,
      path: maskSecrets(`/${ctx.path.split("/").slice(4).join("/")}`),
      status: ctx.status,
      durationMs: performance.now() - startedAt,
      // It names parameters that are not known.
      errorBody: errorBody && maskSecrets(errorBody),
    });
  };
}
