import type { RequestLog } from "../core/requests/request-log.sql.ts";
import type { AnsweredRequest } from "../platform/http/observe.ts";
import { maskSecrets } from "../platform/mask-secrets.ts";

/** Logs requests for the shop's developers, including refused ones with a valid API key. */
export function logRequest(log: RequestLog): (request: AnsweredRequest) => void {
  return ({ ctx, facts, duration }) => {
    const { requestId, shopId, caller, errorBody = null, address = null } = facts;
    // A message of MCP has no route, and is logged only when its address is refused.
    const route = facts.route ?? (ctx.status === 403 ? ctx.path : undefined);
    const { method, path, status } = facts.tool ?? ctx;
    if (caller?.kind !== "apiKey" || !requestId || !shopId || !route) return;
    log.append({
      shopId,
      requestId,
      apiKeyId: caller.id,
      method,
      route,
      path: maskSecrets(path.replace(/^\/api\/v1\/[^/]*/, "")),
      status,
      durationMs: duration,
      // The message lists unknown parameters.
      errorBody: errorBody && maskSecrets(errorBody),
      address,
      userAgent: ctx.get("user-agent"),
    });
  };
}
