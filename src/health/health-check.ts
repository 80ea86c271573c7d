import createError from "http-errors";
import type { Middleware } from "koa";
import type { Problem } from "./readiness.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import { sendJson } from "../platform/http/send.ts";
import { version } from "../platform/version.ts";

const LIVENESS = "/livez";
const paths = new Set([LIVENESS, "/readyz", "/health"]);

/** Returns true for the paths of health probes. */
export function isProbe(path: string): boolean {
  return paths.has(path);
}

/** Answers load balancers and orchestrators: whether the process runs, and whether it is ready. */
export function healthCheck(findProblems: () => Promise<Problem[]>): Middleware {
  return async (ctx, next) => {
    if (!isProbe(ctx.path)) return next();
    addRequestFacts({ route: ctx.path });
    if (ctx.method !== "GET" && ctx.method !== "HEAD") {
      ctx.set("Allow", "GET, HEAD");
      throw createError(405, "Method not allowed");
    }
    ctx.set("Cache-Control", "no-store");
    if (ctx.path === LIVENESS) return sendJson(ctx, 200, { status: "ok", version });
    const problems = await findProblems();
    if (problems.length === 0) return sendJson(ctx, 200, { status: "ok" });
    // The endpoint is public, so details are only in the log.
    ctx.set("Retry-After", "1");
    await sendJson(ctx, 503, { status: "unavailable", notReady: [...new Set(problems.map(({ part }) => part))] });
  };
}
