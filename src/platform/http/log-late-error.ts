import type { Context } from "koa";
import type { Logger } from "../telemetry/logger.ts";

/**
 * Logs what goes wrong when it is too late for an answer. Koa itself writes that to standard error, stack and all, and
 * most of it is clients that break off, which is no fault of ours.
 */
export function logLateError(logger: Logger): (error: Error, ctx: Context) => void {
  return (error, ctx) => {
    // The request is over, but its answer names it.
    const requestId = ctx.response.get("X-Request-Id");
    if (ctx.req.socket.destroyed) logger.debug({ requestId, reason: error.message }, "client broke off");
    else logger.error({ err: error, requestId }, "request failed");
  };
}
