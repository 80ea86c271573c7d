import type { Middleware } from "koa";
import type { Config } from "./config.ts";
import { startHttpServer, type HttpServer, type HttpServerOptions } from "./platform/http/http-server.ts";
import type { ListenAddress } from "./platform/http/listen.ts";
import { createPipeline } from "./platform/http/pipeline.ts";
import type { Logger } from "./platform/telemetry/logger.ts";
import { errorHandler } from "./middleware/errors.ts";
import type { Metrics } from "./platform/telemetry/metrics.ts";

/** Limits of connections, most of which are idle: each holds some kilobytes, or an answer. */
const MAX_CONNECTIONS = 5_000;
const MAX_OF_ADDRESS = 500;
const SILENCE = 30_000;

export type HttpConfig = Pick<Config, "baseUrl" | "trustedProxies">;

export function httpOptions({ baseUrl, trustedProxies }: HttpConfig, address: ListenAddress): HttpServerOptions {
  const mostOfAddress = trustedProxies > 0 ? undefined : MAX_OF_ADDRESS;
  const connections = { most: MAX_CONNECTIONS, mostOfAddress, silence: SILENCE };
  return { ...address, headers: securityHeaders(baseUrl), connections };
}

/** Starts a server for probes or metrics only. */
export function startPage(
  page: Middleware,
  { address, ...config }: HttpConfig & { address: ListenAddress },
  logger: Logger,
): Promise<HttpServer> {
  const pipeline = createPipeline([errorHandler(logger), page], { trustedProxies: 0, logger });
  return startHttpServer(pipeline, httpOptions(config, address));
}

/** A year, in seconds, for which browsers use https only. */
const HTTPS_ONLY = 31_536_000;

/** Headers of every answer. HSTS leaves out subdomains: neighbors under the same domain may not have https yet. */
function securityHeaders(baseUrl: string): Map<string, string> {
  const headers = new Map([["X-Content-Type-Options", "nosniff"]]);
  if (baseUrl.startsWith("https:")) headers.set("Strict-Transport-Security", `max-age=${HTTPS_ONLY}`);
  return headers;
}

/** Serves the metrics for Prometheus. */
export function metricsPage(metrics: Metrics): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/metrics") return next();
    const { type, text } = await metrics.expose();
    ctx.type = type;
    ctx.body = text;
  };
}
