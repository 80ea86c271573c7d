import { randomUUID } from "node:crypto";
import createError from "http-errors";
import Koa, { type Middleware } from "koa";
import { migrations } from "../migrations/index.ts";
import type { Config, EncryptionKey } from "./config.ts";
import type { CoreServices } from "./core/context.ts";
import type { Database } from "./core/database.ts";
import { KeyDirectory } from "./core/credentials/key-directory.ts";
import { LastUses } from "./core/credentials/last-uses.ts";
import { createSchema, entities } from "./core/schema.ts";
import { createGraphqlFace } from "./graphql/server.ts";
import { startWorker } from "./jobs/worker.ts";
import { createEncryption } from "./platform/encryption.ts";
import { startHttpServer } from "./platform/http-server.ts";
import type { Logger } from "./platform/logger.ts";
import { logLateError } from "./platform/log-late-error.ts";
import { createOrm, migrate } from "./platform/orm.ts";
import { answerErrors } from "./rest/errors.ts";
import { createRestRouter } from "./rest/router.ts";
import { sendJson } from "./rest/send.ts";

export type AppConfig = Pick<
  Config,
  "baseUrl" | "host" | "port" | "databasePoolSize" | "graphqlIntrospection" | "trustedProxies" | "webhooksAllowLoopback"
> & { databaseUrl: string; encryptionKeys: EncryptionKey[] };

/** Something that runs until it is stopped. */
interface Running {
  stop: () => Promise<void>;
}

export interface App {
  core: CoreServices;
  migrate: () => Promise<void>;
  startApi: () => Promise<Running & { port: number }>;
  startWorker: () => Promise<Running>;
  /** Closes the connections to PostgreSQL. What was started is stopped before. */
  close: () => Promise<void>;
}

/** Puts the rooms together. Nothing connects before it is asked to. */
export function createApp(config: AppConfig, logger: Logger): App {
  const url = config.databaseUrl;
  const orm = createOrm({ url, poolSize: config.databasePoolSize, entities, migrations, logger });
  const core: CoreServices = {
    orm,
    encryption: createEncryption(config.encryptionKeys),
    webhooksAllowLoopback: config.webhooksAllowLoopback,
  };
  return {
    core,
    migrate: () => migrate(orm, url),
    startApi: () => startApi(config, core, logger),
    startWorker: () => startWorker(core, { url, logger }),
    close: () => orm.close(true),
  };
}

async function startApi(config: AppConfig, core: CoreServices, logger: Logger): Promise<Running & { port: number }> {
  const schema = createSchema();
  const database = core.orm.em.getKysely<Database>();
  const uses = new LastUses({ database, logger });
  const keys = new KeyDirectory({ database, url: config.databaseUrl, logger, uses });
  const graphql = await createGraphqlFace({
    schema,
    core,
    uses,
    logger,
    baseUrl: config.baseUrl,
    introspection: config.graphqlIntrospection,
    secureCookies: config.baseUrl.startsWith("https:"),
  });
  // X-Forwarded-For is believed only as far as our own proxies wrote it.
  const koa = new Koa({ proxy: config.trustedProxies > 0, maxIpsCount: config.trustedProxies });
  koa.on("error", logLateError(logger));
  koa.use(observe(logger));
  koa.use(answerErrors(logger));
  koa.use(createRestRouter({ core, keys, schema, baseUrl: config.baseUrl }));
  koa.use(graphql.middleware);
  koa.use(answerHealth(core));
  koa.use(() => {
    throw createError(404, "Not found");
  });
  const server = await startHttpServer(koa.callback(), config);
  await keys.start();
  uses.start();
  return {
    port: server.port,
    stop: async () => {
      await server.stop();
      await graphql.stop();
      await keys.stop();
      await uses.stop();
    },
  };
}

/** Names the request, and logs it when it is done: never a query string, header or body, which may hold secrets. */
function observe(logger: Logger): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    ctx.state.requestId = requestId;
    ctx.set("X-Request-Id", requestId);
    await next();
    const { method, path, status } = ctx;
    logger.info({ requestId, method, path, status, ms: Math.round(performance.now() - startedAt) }, "request");
  };
}

/** For load balancers: 200 when requests can be answered. */
function answerHealth(core: CoreServices): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/health" || (ctx.method !== "GET" && ctx.method !== "HEAD")) return next();
    await core.orm.em.getConnection().execute("select 1");
    await sendJson(ctx, 200, { status: "ok" });
  };
}
