import { setTimeout as wait } from "node:timers/promises";
import createError from "http-errors";
import Koa, { type Middleware } from "koa";
import { migrations } from "../migrations/index.ts";
import { serveAdmin } from "./admin/serve-admin.ts";
import type { Config, EncryptionKey } from "./config.ts";
import { Admission } from "./core/access/admission.ts";
import type { CoreServices } from "./core/context.ts";
import type { Database } from "./core/queries/database.ts";
import { databaseTime } from "./core/queries/database-time.ts";
import { KeyDirectory } from "./core/credentials/api-keys/key-directory.ts";
import { LastUses } from "./core/credentials/last-uses.ts";
import { RequestLog } from "./core/requests/request-log.ts";
import { Gateway } from "./core/gateway.ts";
import { createSchema, entities } from "./core/schema/schema.ts";
import { createGraphqlFace } from "./graphql/server.ts";
import { healthCheck, isProbe } from "./health/health-check.ts";
import { startWorker } from "./jobs/worker.ts";
import { DatabaseClock } from "./platform/postgres/database-clock.ts";
import { createEncryption } from "./platform/encryption.ts";
import { startHttpServer, type HttpServerOptions } from "./platform/http/http-server.ts";
import { logRequests, nameRequests } from "./platform/http/log-requests.ts";
import { securityHeaders } from "./platform/http/security-headers.ts";
import { metricsPage } from "./platform/http/metrics-page.ts";
import { observeRequests } from "./platform/http/observe-requests.ts";
import { traceRequests } from "./platform/http/trace-requests.ts";
import type { Logger } from "./platform/telemetry/logger.ts";
import { createMailer } from "./platform/mail/create-mailer.ts";
import { logLateError } from "./platform/http/log-late-error.ts";
import { Metrics } from "./platform/telemetry/metrics.ts";
import { warnOfProxy } from "./platform/http/warn-of-proxy.ts";
import { migrate } from "./platform/postgres/migrate.ts";
import { createOrm } from "./platform/postgres/orm.ts";
import { reachDatabase, type Wait } from "./platform/postgres/reach-database.ts";
import { createProblemFinder, createReadiness, shuttingDown, type Problem } from "./health/readiness.ts";
import { errorHandler } from "./rest/errors.ts";
import { keepRequests } from "./rest/keep-requests.ts";
import { createRestRouter } from "./rest/router.ts";

export type AppConfig = Pick<
  Config,
  | "baseUrl"
  | "host"
  | "port"
  | "shutdownDelay"
  | "databasePoolSize"
  | "graphqlIntrospection"
  | "mail"
  | "trustedProxies"
  | "webhooksAllowLoopback"
> & { databaseUrl: string; encryptionKeys: EncryptionKey[] };

/** Something that runs until it is stopped. */
interface Running {
  stop: () => Promise<void>;
}

export interface App {
  core: CoreServices;
  /** Settles when the database takes a connection. @throws OperatorError when it does not */
  reachDatabase: (options?: Wait) => Promise<void>;
  migrate: () => Promise<void>;
  /** Finds what keeps this process from its work: a schema older than it needs, wrong keys, a database that is away. */
  findProblems: () => Promise<Problem[]>;
  startApi: () => Promise<Running & { port: number }>;
  startWorker: () => Promise<Running>;
  /** Answers probes alone, where there is no API. */
  startHealth: (port: number) => Promise<Running & { port: number }>;
  /** Answers Prometheus alone. Once for an app. */
  startMetrics: (at: { host: string; port: number }) => Promise<Running & { port: number }>;
  /** Closes the connections to PostgreSQL. What was started is stopped before. */
  close: () => Promise<void>;
}

/** The composition root: puts the parts together. Nothing connects before it is asked to. */
export function createApp(config: AppConfig, logger: Logger): App {
  const url = config.databaseUrl;
  const metrics = new Metrics();
  const database = { url, poolSize: config.databasePoolSize, entities, migrations, logger };
  const orm = createOrm({ ...database, metrics });
  const core: CoreServices = {
    orm,
    encryption: createEncryption(config.encryptionKeys),
    logger,
    webhooksAllowLoopback: config.webhooksAllowLoopback,
    sendsMail: config.mail !== undefined,
  };
  const clock = new DatabaseClock({ ask: () => databaseTime(orm.em), logger });
  const findProblems = createProblemFinder(core);
  const look = createReadiness(findProblems, logger);
  let isEnding = false;
  const readiness = async () => (isEnding ? [shuttingDown] : look());
  const health = healthCheck(readiness);
  return {
    core,
    reachDatabase: (options) => reachDatabase(url, options),
    migrate: () => migrate(database),
    findProblems,
    startApi: async () => {
      await clock.start();
      const api = await startApi(config, { core, health, logger, metrics });
      const stop = async () => {
        isEnding = true;
        await api.drain();
        await api.stop();
      };
      return { port: api.port, stop };
    },
    startWorker: async () => {
      await clock.start();
      const mail = config.mail && { mailer: createMailer(config.mail, logger), baseUrl: config.baseUrl };
      return startWorker(core, { url, clock, logger, metrics, mail });
    },
    startHealth: (port) => {
      return startHttpServer(createPlainApp(health, logger).callback(), httpOptions({ ...config, port }));
    },
    startMetrics: (at) => {
      metrics.watchProcess();
      const isReady = async () => Number((await readiness()).length === 0);
      metrics.gauge("ready", "1 while the process is ready, 0 while it is not.", isReady);
      const page = createPlainApp(metricsPage(metrics), logger);
      return startHttpServer(page.callback(), httpOptions({ ...config, ...at }));
    },
    close: () => {
      clock.stop();
      return orm.close(true);
    },
  };
}

/** Bounds on what connections may cost, most of which are idle: each holds some kilobytes, or an answer. */
const MOST_CONNECTIONS = 5_000;
const MOST_OF_ADDRESS = 500;
const SILENCE = 30_000;

function httpOptions({ host, port, baseUrl, trustedProxies }: AppConfig): HttpServerOptions {
  const mostOfAddress = trustedProxies > 0 ? undefined : MOST_OF_ADDRESS;
  const connections = { most: MOST_CONNECTIONS, mostOfAddress, silence: SILENCE };
  return { host, port, headers: securityHeaders(baseUrl), connections };
}

/** Answers with one page, or a few. */
function createPlainApp(pages: Middleware, logger: Logger): Koa {
  const koa = new Koa();
  koa.on("error", logLateError(logger));
  koa.use(errorHandler(logger));
  koa.use(pages);
  koa.use(answerNotFound);
  return koa;
}

async function startApi(
  config: AppConfig,
  { core, health, logger, metrics }: { core: CoreServices; health: Middleware; logger: Logger; metrics: Metrics },
): Promise<Running & { port: number; drain: () => Promise<void> }> {
  const schema = createSchema();
  const database = core.orm.em.getKysely<Database>();
  const uses = new LastUses({ database, logger });
  const requests = new RequestLog({ database, logger });
  const keys = new KeyDirectory({ database, uses });
  const admission = new Admission({ poolSize: config.databasePoolSize, metrics });
  const graphql = await createGraphqlFace({
    schema,
    core,
    uses,
    admission,
    logger,
    metrics,
    baseUrl: config.baseUrl,
    introspection: config.graphqlIntrospection,
    secureCookies: config.baseUrl.startsWith("https:"),
  });
  // X-Forwarded-For is believed only as far as our own proxies wrote it.
  const koa = new Koa({ proxy: config.trustedProxies > 0, maxIpsCount: config.trustedProxies });
  koa.on("error", logLateError(logger));
  koa.use(warnOfProxy(config.trustedProxies, logger));
  koa.use(countRequests(admission));
  koa.use(nameRequests());
  koa.use(observeRequests(metrics));
  koa.use(traceRequests(isProbe));
  koa.use(logRequests(logger, isProbe));
  koa.use(keepRequests(requests));
  koa.use(errorHandler(logger));
  koa.use(health);
  koa.use(createRestRouter({ gateway: new Gateway({ core, keys, schema, admission }), baseUrl: config.baseUrl }));
  koa.use(graphql.middleware);
  koa.use(await serveAdmin());
  koa.use(answerNotFound);
  const server = await startHttpServer(koa.callback(), httpOptions(config));
  uses.start();
  requests.start();
  return {
    port: server.port,
    // Until proxies have noticed, they send requests.
    drain: () => {
      server.drain();
      return wait(config.shutdownDelay * 1_000);
    },
    stop: async () => {
      await server.stop();
      await graphql.stop();
      await uses.stop();
      await requests.stop();
    },
  };
}

/** Counts a request until it is done and its answer is sent. */
function countRequests(admission: Admission): Middleware {
  return (ctx, next) => admission.serve(next, new Promise((resolve) => void ctx.res.once("close", resolve)));
}

function answerNotFound(): never {
  throw createError(404, "Not found");
}
