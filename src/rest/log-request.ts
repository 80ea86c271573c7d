import type { RequestLog } from "../core/requests/request-log.sql.ts";
import type { AnsweredRequest } from "../platform/http/observe.ts";
import { maskSecrets } from "../platform/mask-secrets.ts";

/** Adds a request to its shop's log, for the shop's developers. Refusals are in it too, once the API key is known. */
export function logRequest(log: RequestLog, { ctx, facts, duration }: AnsweredRequest): void {
  const { requestId, shopId, actor, route, errorBody = null } = facts;
  if (actor?.kind !== "apiKey" || !requestId || !shopId || !route) return;
  log.append({
    shopId,
    requestId,
    apiKeyId: actor.id,
    method: ctx.method,
    route,
    path: maskSecrets(`/${ctx.path.split("/").slice(4).join("/")}`),
    status: ctx.status,
    durationMs: duration,
    // It names unknown parameters.
    errorBody: errorBody && maskSecrets(errorBody),
  });
}
