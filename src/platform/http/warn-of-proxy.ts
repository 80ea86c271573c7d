import type { Middleware } from "koa";
import type { Logger } from "../telemetry/logger.ts";

/** Warns once when requests seem to come through a proxy that TRUSTED_PROXIES does not count. */
export function warnOfProxy(trustedProxies: number, logger: Logger): Middleware {
  let hasWarned = trustedProxies > 0;
  return (ctx, next) => {
    if (!hasWarned && ctx.get("X-Forwarded-For") !== "") {
      hasWarned = true;
      logger.warn(
        "A request has X-Forwarded-For, which is ignored because TRUSTED_PROXIES is 0. If the service runs behind a proxy, set it: otherwise all clients share the proxy's address and one login limit.",
      );
    }
    return next();
  };
}
