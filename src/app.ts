import { migrations } from "../migrations/index.ts";
import { healthAddress, metricsAddress, type Config, type EncryptionKey } from "./config.ts";
import type { CoreServices } from "./core/context.ts";
import { NodeFinder } from "./core/cluster/node-finder.ts";
import type { DistributeOptions } from "./core/cluster/distribute.ts";
import type { MoveOptions } from "./database.ts";
import type { Database } from "./core/model/tables.ts";
import { databaseTime } from "./core/queries/database-time.ts";
import { entities } from "./core/schema.ts";
import { ARRIVALS } from "./core/webhooks/jobs/send-jobs.sql.ts";
import { healthCheck, identifyDatabase } from "./health/health-check.ts";
import { Arrivals } from "./platform/postgres/arrivals.ts";
import { DatabaseClock } from "./platform/postgres/database-clock.ts";
import { createEncryption } from "./platform/encryption.ts";
import { metricsPage } from "./http.ts";
import type { Worker, WorkerOptions } from "./jobs/worker.ts";
import type { Logger } from "./platform/telemetry/logger.ts";
import { Metrics } from "./platform/telemetry/metrics.ts";
import { createConnection, createOrm, requestTimeouts, type Orm } from "./platform/postgres/orm.ts";
import { refuseDifference, type MigrationTables } from "./platform/postgres/schema-version.ts";
import { reachDatabase, type Wait } from "./platform/postgres/reach-database.ts";
import { createProblemFinder, createReadiness, shuttingDown, type Problem } from "./health/readiness.ts";

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
  | "egress"
> & { databaseUrl: string; encryptionKeys: EncryptionKey[] };

/** A running part of the application. */
interface Running {
  stop: () => Promise<void>;
}

export interface App {
  core: CoreServices;
  /**
   * Settles when the database accepts a connection. @throws OperatorError when it does not, or when a version with
   * another schema made it
   */
  reachDatabase: (options?: Wait) => Promise<void>;
  migrate: () => Promise<void>;
  /** Distributes the tables over the nodes of a cluster, or returns the statements alone. */
  distribute: (options: DistributeOptions) => Promise<string[]>;
  /** Moves an open shop to another database, or takes an interrupted move back. */
  moveShop: (options: MoveOptions) => Promise<void>;
  /** Finds reasons why this process cannot work: an outdated schema, wrong keys, an unreachable database. */
  findProblems: () => Promise<Problem[]>;
  startApi: () => Promise<Running & { port: number }>;
  startWorker: () => Promise<Running>;
  /** Serves probes only, for a process without the API. */
  startHealth: (port: number) => Promise<Running & { port: number }>;
  /** Serves metrics for Prometheus only. Call it once per app. */
  startMetrics: (at: { host: string; port: number }) => Promise<Running & { port: number }>;
  /** Closes the connections to PostgreSQL. Stop the started parts first. */
  close: () => Promise<void>;
}

/**
 * The composition root. Nothing connects until it is used, and server modules load only when started, so that commands
 * load a thousand fewer.
 */
export function createApp(config: AppConfig, logger: Logger): App {
  const { databaseUrl: url, databasePoolSize: poolSize } = config;
  const metrics = new Metrics();
  const database = { url, poolSize, entities, migrations, logger, metrics, silence: () => nodes.silence };
  const coordinator = createConnection<Database & MigrationTables>(database);
  const nodes = new NodeFinder(coordinator);
  const orm = createOrm({ ...database, pool: "main" });
  const core = createServices(config, orm, logger);
  const clock = new DatabaseClock({ ask: () => databaseTime(orm.em), logger });
  const start = () => Promise.all([nodes.start(), clock.start()]);
  let worker: Worker | undefined;
  const findProblems = createProblemFinder(core, coordinator, async () => worker?.ping());
  let isEnding = false;
  const findCached = createReadiness(findProblems, logger);
  const readiness = async () => (isEnding ? [shuttingDown] : findCached());
  const health = healthCheck(readiness, core.encryption, () => identifyDatabase(coordinator));
  return {
    core,
    reachDatabase: (options) => reachDatabase(url, options, () => refuseDifference(orm.em.getKysely(), migrations)),
    migrate: async () => (await import("./database.ts")).migrate(database),
    distribute: async (options) => (await import("./database.ts")).distribute(database, options),
    moveShop: async (options) => (await import("./database.ts")).moveShop(database, core.encryption, options),
    findProblems,
    startApi: async () => {
      await start();
      const requests = createOrm({ ...database, pool: "requests", timeouts: requestTimeouts });
      const services = { core: { ...core, orm: requests }, own: orm, nodes, health, clock, logger, metrics };
      const api = await (await import("./api.ts")).startApi(config, services);
      const stop = async () => {
        isEnding = true;
        await api.drain();
        await api.stop();
      };
      return { port: api.port, stop };
    },
    startWorker: async () => {
      await start();
      return (worker = await loadWorker(config, core, { url, clock, logger, metrics }));
    },
    startHealth: async (port) => {
      return (await import("./http.ts")).startPage(
        health,
        { ...config, address: healthAddress(config.host, port) },
        logger,
      );
    },
    startMetrics: async (at) => {
      const { startPage } = await import("./http.ts");
      metrics.watchProcess();
      const isReady = async () => Number((await readiness()).length === 0);
      metrics.gauge("ready", "1 while the process is ready, 0 while it is not.", isReady);
      return startPage(metricsPage(metrics), { ...config, address: metricsAddress(at) }, logger);
    },
    close: async () => {
      clock.stop();
      await Promise.all([core.arrivals.stop(), orm.close(true), coordinator.destroy()]);
    },
  };
}

function createServices(config: AppConfig, orm: Orm, logger: Logger): CoreServices {
  return {
    orm,
    encryption: createEncryption(config.encryptionKeys),
    logger,
    webhooksAllowLoopback: config.webhooksAllowLoopback,
    arrivals: new Arrivals({ url: config.databaseUrl, channel: ARRIVALS, logger }),
    sendsMail: config.mail !== undefined,
  };
}

/** Loads the worker and starts it. */
async function loadWorker(
  { mail, baseUrl, egress }: AppConfig,
  core: CoreServices,
  options: Omit<WorkerOptions, "mail" | "egress">,
): Promise<Worker> {
  const { createMailer } = await import("./platform/mail/mailer.ts");
  const { startWorker } = await import("./jobs/worker.ts");
  const { logger } = options;
  return startWorker(core, { ...options, egress, mail: mail && { mailer: createMailer(mail, logger), baseUrl } });
}
