import type { RequestListener } from "node:http";
import createError from "http-errors";
import Koa, { type Context, type Middleware } from "koa";
import type { Logger } from "../telemetry/logger.ts";

interface Options {
  /** Only the entries of X-Forwarded-For that this number of proxies wrote are trusted. */
  trustedProxies: number;
  logger: Logger;
}

/** Passes each request through the steps, in order. A request that none of them answers gets 404. */
export function createPipeline(steps: readonly Middleware[], { trustedProxies, logger }: Options) {
  const koa = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  koa.on("error", logLateError(logger));
  for (const step of [...steps, answerNotFound]) koa.use(step);
  return koa.callback() satisfies RequestListener;
}

function answerNotFound(): never {
  throw createError(404, "Not found");
}

/**
 * Logs errors that occur too late for an answer. Koa would write them to standard error with a stack, and most are
 * clients that disconnect.
 */
function logLateError(logger: Logger): (error: Error, ctx: Context) => void {
  return (error, ctx) => {
    // The request has ended, but the response still has its id.
    const requestId = ctx.response.get("X-Request-Id");
    if (ctx.req.socket.destroyed) logger.debug({ requestId, reason: error.message }, "client disconnected");
    else logger.error({ err: error, requestId }, "request failed");
  };
}
