import type { Context } from "koa";
import type { Logger } from "../telemetry/logger.ts";

/**
 * Logs errors that occur too late for an answer. Koa would write them to standard error with a stack, and most are
 * clients that disconnect.
 */
export function logLateError(logger: Logger): (error: Error, ctx: Context) => void {
  return (error, ctx) => {
    // The request has ended, but the response still has its id.
    const requestId = ctx.response.get("X-Request-Id");
    if (ctx.req.socket.destroyed) logger.debug({ requestId, reason: error.message }, "client disconnected");
    else logger.error({ err: error, requestId }, "request failed");
  };
}
