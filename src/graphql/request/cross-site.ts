import type { Context } from "koa";

const sessionPattern = /(?:^|;\s*)(?:__Host-)?session=/;

/**
 * Tells whether a page of another site makes a browser send its session, or asks for one. Requiring JSON already makes
 * browsers ask first, and nobody answers them; this does not rely on it. A token is sent by programs alone.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
export function isCrossSite(ctx: Context, baseUrl: string): boolean {
  if (ctx.get("Authorization") !== "" && !sessionPattern.test(ctx.get("Cookie"))) return false;
  if (ctx.get("Sec-Fetch-Site") === "cross-site") return true;
  const origin = ctx.get("Origin");
  const { origin: ownOrigin, protocol } = new URL(baseUrl);
  return origin !== "" && origin !== ownOrigin && origin !== `${protocol}//${ctx.host}`;
}
