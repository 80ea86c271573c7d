import type { RequestLog } from "../core/requests/request-log.sql.ts";
import type { AnsweredRequest } from "../platform/http/observe.ts";
import { maskSecrets } from "../platform/mask-secrets.ts";

/** Logs requests for the shop's developers, including refused ones with a valid API key. */
export function logRequest(log: RequestLog): (request: AnsweredRequest) => void {
  return ({ ctx, facts, duration }) => {
    const { requestId, shopId, caller, route, errorBody = null } = facts;
    if (caller?.kind !== "apiKey" || !requestId || !shopId || !route) return;
    log.append({
      shopId,
      requestId,
      apiKeyId: caller.id,
      method: ctx.method,
      route,
      path: maskSecrets(`/${ctx.path.split("/").slice(4).join("/")}`),
      status: ctx.status,
      durationMs: duration,
      // The message lists unknown parameters.
      errorBody: errorBody && maskSecrets(errorBody),
    });
  };
}
