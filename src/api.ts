import { setTimeout as wait } from "node:timers/promises";
import Koa, { type Middleware } from "koa";
import { serveAdmin } from "./admin/serve-admin.ts";
import type { Config } from "./config.ts";
import { Admission } from "./core/access/admission.ts";
import type { CoreServices } from "./core/context.ts";
import { ApiKeyCache } from "./core/credentials/api-keys/api-key-cache.ts";
import { LastUsedWriter } from "./core/credentials/last-used-writer.ts";
import { Gateway } from "./core/gateway.ts";
import type { Database } from "./core/queries/database.ts";
import { RequestLog } from "./core/requests/request-log.ts";
import { createSchema } from "./core/schema/schema.ts";
import { createGraphqlServer } from "./graphql/server.ts";
import { isProbe } from "./health/health-check.ts";
import { answerNotFound, httpOptions, type HttpConfig } from "./http.ts";
import { LoadShedder } from "./platform/fairness/load-shedder.ts";
import { arrivalOf } from "./platform/http/arrival.ts";
import { startHttpServer } from "./platform/http/http-server.ts";
import { logLateError } from "./platform/http/log-late-error.ts";
import { logRequests, nameRequests } from "./platform/http/log-requests.ts";
import { observeRequests } from "./platform/http/observe-requests.ts";
import { traceRequests } from "./platform/http/trace-requests.ts";
import { warnOfProxy } from "./platform/http/warn-of-proxy.ts";
import type { Logger } from "./platform/telemetry/logger.ts";
import type { Metrics } from "./platform/telemetry/metrics.ts";
import { errorHandler } from "./rest/errors.ts";
import { keepRequests } from "./rest/keep-requests.ts";
import { createRestRouter } from "./rest/router.ts";

type ApiConfig = HttpConfig & Pick<Config, "databasePoolSize" | "graphqlIntrospection" | "shutdownDelay">;

interface ApiServices {
  core: CoreServices;
  health: Middleware;
  logger: Logger;
  metrics: Metrics;
}

export interface Api {
  port: number;
  /** Takes requests for as long as proxies may not have noticed that it ends. */
  drain: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Serves REST, GraphQL and the pages. */
export async function startApi(config: ApiConfig, { core, health, logger, metrics }: ApiServices): Promise<Api> {
  const schema = createSchema();
  const database = core.orm.em.getKysely<Database>();
  const uses = new LastUsedWriter({ database, logger });
  const requests = new RequestLog({ database, logger });
  const keys = new ApiKeyCache({ database, uses });
  const admission = new Admission({ poolSize: config.databasePoolSize, metrics });
  const shedder = new LoadShedder({
    refuses: (demand) => admission.refuses(demand),
    identify: (request) => admission.identify(arrivalOf(request, config.trustedProxies)),
    logger,
    metrics,
  });
  const graphql = await createGraphqlServer({
    schema,
    core,
    uses,
    admission,
    logger,
    metrics,
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    introspection: config.graphqlIntrospection,
    secureCookies: config.baseUrl.startsWith("https:"),
  });
  const koa = createKoa(config.trustedProxies, logger);
  koa.use(countRequests(admission));
  koa.use(shedder.recordRefusals());
  koa.use(nameRequests());
  koa.use(observeRequests(metrics));
  koa.use(traceRequests(isProbe));
  koa.use(logRequests(logger, isProbe));
  koa.use(keepRequests(requests));
  koa.use(errorHandler(logger));
  koa.use(health);
  const inTurn = queueRequests(admission, config.trustedProxies);
  const gateway = new Gateway({ core, keys, schema, admission });
  koa.use(createRestRouter({ gateway, inTurn, baseUrl: config.baseUrl }));
  koa.use(graphql.middleware);
  koa.use(await serveAdmin(inTurn));
  koa.use(inTurn);
  koa.use(answerNotFound);
  const server = await startHttpServer(shedder.guard(koa.callback()), httpOptions(config));
  uses.start();
  requests.start();
  return {
    port: server.port,
    drain: () => {
      server.drain();
      return wait(config.shutdownDelay * 1_000);
    },
    stop: async () => {
      await server.stop();
      shedder.stop();
      await graphql.stop();
      await uses.stop();
      await requests.stop();
    },
  };
}

/** X-Forwarded-For is believed only as far as our own proxies wrote it. */
function createKoa(trustedProxies: number, logger: Logger): Koa {
  const koa = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  koa.on("error", logLateError(logger));
  koa.use(warnOfProxy(trustedProxies, logger));
  return koa;
}

/** Has requests for public routes wait for their turn. */
function queueRequests(admission: Admission, trustedProxies: number): Middleware {
  return async (ctx, next) => {
    await admission.queue(arrivalOf(ctx.req, trustedProxies));
    await next();
  };
}

/** Counts a request until it is done and its answer is sent. */
function countRequests(admission: Admission): Middleware {
  return (ctx, next) => admission.serve(next, new Promise((resolve) => void ctx.res.once("close", resolve)));
}
