import type { Context } from "koa";

const sessionPattern = /(?:^|;\s*)(?:__Host-)?session=/;

/**
 * Returns true when a page of another site makes a browser use its session, or open one. Requiring JSON already makes
 * browsers send a preflight, which is refused; this does not rely on it. A request with a token comes from a program.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
export function isCrossSite(ctx: Context, baseUrl: string): boolean {
  if (ctx.get("Authorization") !== "" && !sessionPattern.test(ctx.get("Cookie"))) return false;
  if (ctx.get("Sec-Fetch-Site") === "cross-site") return true;
  const origin = ctx.get("Origin");
  return origin !== "" && origin !== baseUrl;
}
