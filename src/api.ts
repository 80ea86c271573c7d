import { setTimeout as wait } from "node:timers/promises";
import type { Middleware } from "koa";
import { apiAddress, type Config } from "./config.ts";
import { serveAdmin } from "./admin/serve-admin.ts";
import type { NodeFinder } from "./core/cluster/node-finder.ts";
import type { CoreServices } from "./core/context.ts";
import { AppError, SERVICE_UNAVAILABLE } from "./core/model/errors.ts";
import { ApiKeyCache } from "./core/credentials/api-keys/api-key-cache.ts";
import { LastUsedWriter } from "./core/credentials/last-used-writer.sql.ts";
import { UnknownCredentials } from "./core/credentials/unknown-credentials.ts";
import { Gateway } from "./core/gateway.ts";
import { kysely } from "./core/queries/database.ts";
import { RequestLog } from "./core/requests/request-log.sql.ts";
import { createSchema } from "./core/schema.ts";
import * as graphqlAnswer from "./graphql/answer.ts";
import { createGraphqlServer, PATH } from "./graphql/server.ts";
import { isProbe } from "./health/health-check.ts";
import { httpOptions, type HttpConfig } from "./http.ts";
import { startHttpServer } from "./platform/http/http-server.ts";
import { createPipeline } from "./platform/http/pipeline.ts";
import { observe } from "./platform/http/observe.ts";
import { Gate, takePermits, type Refusal } from "./platform/overload/gate.ts";
import { boundSilentNodes } from "./platform/overload/bound-silent-nodes.ts";
import { TenantCache } from "./platform/overload/tenants.ts";
import type { DatabaseClock } from "./platform/postgres/database-clock.ts";
import { requestTimeouts, type Orm } from "./platform/postgres/orm.ts";
import type { Logger } from "./platform/telemetry/logger.ts";
import type { Metrics } from "./platform/telemetry/metrics.ts";
import { errorAnswer, errorHandler } from "./middleware/errors.ts";
import { logRequest } from "./middleware/log-request.ts";
import { loseAnswers } from "./middleware/lose-answers.ts";
import type { ApiDocument } from "./reference/document.ts";
import { serveReference } from "./reference/serve-reference.ts";
import { describeApi } from "./rest/openapi.ts";
import { serveMcp } from "./mcp/serve-mcp.ts";
import { createRestRouter, routes } from "./rest/router.ts";

type ApiConfig = HttpConfig &
  Pick<Config, "host" | "port" | "databasePoolSize" | "graphqlIntrospection" | "shutdownDelay">;

interface ApiServices {
  /** On the connections for requests, which close with the API. */
  core: CoreServices;
  /** The connections for background work. */
  own: Orm;
  nodes: NodeFinder;
  health: Middleware;
  clock: DatabaseClock;
  logger: Logger;
  metrics: Metrics;
}

export interface Api {
  port: number;
  /** Keeps serving while proxies may not have noticed the shutdown. */
  drain: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Rendered once, so that a refusal costs next to nothing. */
const refusals = {
  "too many": refusal(new AppError("UNAVAILABLE", "Too many requests at once", { hint: "Retry shortly." })),
  unavailable: refusal(new AppError("UNAVAILABLE", SERVICE_UNAVAILABLE)),
};

function refusal(error: AppError): Record<"rest" | "graphql", string> {
  return { rest: errorAnswer(error), graphql: graphqlAnswer.errorAnswer(error) };
}

const refusalAt = (path: string, reason: Refusal) => refusals[reason][path === PATH ? "graphql" : "rest"];

/** Probes, and pages that are built once. They must open while all places are taken. */
const isFree = (path: string) =>
  isProbe(path) || /^\/(admin(\/.*)?|docs([./].*)?|llms\.txt|api\/v1\/openapi\.json)?$/.test(path);

/** Starts the server for REST, GraphQL and the pages. */
export async function startApi(config: ApiConfig, services: ApiServices): Promise<Api> {
  const { core, own, nodes, health, clock, logger, metrics } = services;
  const { baseUrl, trustedProxies, databasePoolSize, graphqlIntrospection } = config;
  const schema = createSchema();
  const uses = new LastUsedWriter({ database: kysely(own.em), logger });
  const requests = new RequestLog({ database: kysely(own.em), logger });
  const tenants = new TenantCache(trustedProxies);
  const gate = new Gate({ poolSize: databasePoolSize, tenants, isFree, refusalAt, logger, metrics });
  const unknownCredentials = new UnknownCredentials();
  const keys = new ApiKeyCache({ database: kysely(core.orm.em), uses });
  const gateway = new Gateway({ core, uses, unknownCredentials, keys, schema });
  const graphql = await createGraphqlServer({
    schema,
    core,
    uses,
    unknownCredentials,
    tenants,
    logger,
    metrics,
    baseUrl,
    introspection: graphqlIntrospection,
    secureCookies: baseUrl.startsWith("https:"),
  });
  // The server has checked the request's framing, and the gate has admitted it.
  const steps = [
    observe({ logger, metrics, trustedProxies, isProbe, onDone: logRequest(requests) }),
    dateBy(clock),
    loseAnswers,
    errorHandler(logger),
    health,
    takePermits(gate),
    ...(nodes.isOnCluster ? [boundNodes(nodes, gate, databasePoolSize)] : []),
    createRestRouter({ gateway, tenants, baseUrl }),
    serveMcp({ gateway, tenants, baseUrl, routes, schema, logger }),
    graphql.middleware,
    serveReference(describeApi(routes, baseUrl) as unknown as ApiDocument, schema),
    await serveAdmin(),
  ];
  const listener = gate.guard(createPipeline(steps, { trustedProxies, logger }));
  const server = await startHttpServer(listener, httpOptions(config, apiAddress(config)));
  metrics.gauge("receivers_waiting", "Callers that wait for events.", () => core.arrivals.waiting);
  uses.start();
  requests.start();
  return {
    port: server.port,
    drain: async () => {
      server.drain();
      await core.arrivals.stop();
      return wait(config.shutdownDelay * 1_000);
    },
    stop: async () => {
      await server.stop();
      gate.logRefusals();
      await graphql.stop();
      await uses.stop();
      await requests.stop();
      await core.orm.close(true);
    },
  };
}

/** Dates answers as records are, before they are read: clients ask for what changed since then. */
function dateBy(clock: DatabaseClock): Middleware {
  return (ctx, next) => {
    ctx.set("Date", clock.now().toUTCString());
    return next();
  };
}

function boundNodes(nodes: NodeFinder, gate: Gate, poolSize: number): Middleware {
  return boundSilentNodes({
    gate,
    most: Math.ceil(poolSize / 2),
    timeout: requestTimeouts.statement_timeout,
    nodeOf: (tenant) => nodes.nodeOf(tenant),
    // Some answers of GraphQL need the coordinator alone.
    isFromNode: (path) => path !== PATH,
  });
}
