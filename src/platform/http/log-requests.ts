import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Middleware } from "koa";
import type { Logger } from "../telemetry/logger.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { currentVisit, noteFacts } from "../fairness/visit.ts";

/** A name that a caller may give its request: a UUID, a ULID, a trace id and the like. */
const wellFormed = /^[\w.:-]{8,64}$/;

/** The name that comes with a request, if it is well-formed, or a new one. */
export function requestIdOf({ headers: { "x-request-id": given } }: IncomingMessage): string {
  return typeof given === "string" && wellFormed.test(given) ? given : randomUUID();
}

/** Names each request, also to whoever made it. */
export function nameRequests(): Middleware {
  return (ctx, next) => {
    const requestId = requestIdOf(ctx.req);
    noteFacts({ requestId });
    ctx.set("X-Request-Id", requestId);
    return next();
  };
}

/**
 * Logs each request when it is done, but for probes that find nothing wrong. Never a query string, header or body, which
 * may hold secrets; those in the path are masked.
 */
export function logRequests(logger: Logger, isProbe: (path: string) => boolean): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    if (isProbe(ctx.path) && ctx.status === 200) return;
    const { method, status } = ctx;
    const path = maskSecrets(ctx.path);
    const { shopId, actor, route, operation, errors } = currentVisit()?.facts ?? {};
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const about = { shopId, actor: actor && `${actor.kind} ${actor.id}`, route, operation, errors };
    logger.info({ method, path, status, ms, bytes: ctx.response.length ?? 0, ...about }, "request");
  };
}
