import createError from "http-errors";
import Koa, { type Middleware } from "koa";
import type { Config } from "./config.ts";
import { startHttpServer, type HttpServer, type HttpServerOptions } from "./platform/http/http-server.ts";
import type { ListenAddress } from "./platform/http/listen.ts";
import { logLateError } from "./platform/http/log-late-error.ts";
import { securityHeaders } from "./platform/http/security-headers.ts";
import type { Logger } from "./platform/telemetry/logger.ts";
import { errorHandler } from "./rest/errors.ts";

/** Limits of connections, most of which are idle: each holds some kilobytes, or an answer. */
const MOST_CONNECTIONS = 5_000;
const MOST_OF_ADDRESS = 500;
const SILENCE = 30_000;

export type HttpConfig = Pick<Config, "baseUrl" | "trustedProxies">;

export function httpOptions({ baseUrl, trustedProxies }: HttpConfig, address: ListenAddress): HttpServerOptions {
  const mostOfAddress = trustedProxies > 0 ? undefined : MOST_OF_ADDRESS;
  const connections = { most: MOST_CONNECTIONS, mostOfAddress, silence: SILENCE };
  return { ...address, headers: securityHeaders(baseUrl), connections };
}

/** Starts a server for probes or metrics only. */
export function startPage(
  page: Middleware,
  { address, ...config }: HttpConfig & { address: ListenAddress },
  logger: Logger,
): Promise<HttpServer> {
  const koa = new Koa();
  koa.on("error", logLateError(logger));
  koa.use(errorHandler(logger));
  koa.use(page);
  koa.use(answerNotFound);
  return startHttpServer(koa.callback(), httpOptions(config, address));
}

export function answerNotFound(): never {
  throw createError(404, "Not found");
}
