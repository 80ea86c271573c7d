import { Migrator, type Migration } from "@mikro-orm/migrations";
import { defineConfig, MikroORM, type EntityClass, type EntityMetadata } from "@mikro-orm/postgresql";
import { Kysely } from "kysely";
import { clientOpenedWithin, withSettings, openPool, watchPool } from "./pool.ts";
import { PoolDialect, types } from "./driver/postgres-driver.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { ParameterDriver } from "./driver/parameter-driver.ts";

export type Orm = MikroORM;

/** Time-outs for the service's own statements. Milliseconds. */
export const databaseTimeouts = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 5_000,
  // Shorter than a request's statement time-out, so that the error names the lock.
  lock_timeout: 1_800,
  idle_in_transaction_session_timeout: 10_000,
};

/** Time-outs for requests. A search for a frequent word or a distant page ends sooner. */
export const requestTimeouts = { ...databaseTimeouts, statement_timeout: 2_000 };

/**
 * The time that pools keep idle connections, in milliseconds. A new one takes 5 ms and has no prepared plans, which
 * would slow the first requests after a quiet time.
 */
export const IDLE_TIMEOUT = 600_000;

/** A migration of this build. It only adds statements, so that its digest can be computed without a database. */
export interface NamedMigration {
  name: string;
  class: new (...services: ConstructorParameters<typeof Migration>) => Migration;
}

export interface OrmOptions {
  /** The name of its pool in metrics. */
  pool: "main" | "requests" | "coordinator";
  url: string;
  poolSize: number;
  entities: EntityClass<unknown>[];
  migrations: NamedMigration[];
  logger: Logger;
  metrics: Metrics;
  /** The time-outs of its statements, if they differ from the default. */
  timeouts?: typeof databaseTimeouts;
  /** The time beyond them after which a silent connection counts as lost, if it differs. Milliseconds. */
  silence?: () => number;
}

/** Creates the object-relational mapper on its own pool, without connecting. */
export function createOrm(options: OrmOptions): Orm {
  return new MikroORM(
    defineConfig({
      driver: ParameterDriver,
      clientUrl: options.url,
      entities: options.entities,
      extensions: [Migrator],
      discovery: { onMetadata: measureInstants },
      // Each migration releases its locks before the next one.
      migrations: {
        migrationsList: options.migrations,
        tableName: "migrations",
        snapshot: false,
        allOrNothing: false,
      },
      driverOptions: () => createDialect(options),
      ensureDatabase: false,
      logger: (message) => options.logger.debug({ orm: message }, "orm"),
    }),
  );
}

/** Creates a connection without entities, for statements that must not wait for those of requests. */
export function createConnection<Tables>(options: Omit<OrmOptions, "pool" | "poolSize">): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: createDialect({ ...options, pool: "coordinator", poolSize: 1 }) });
}

function createDialect(options: OrmOptions): PoolDialect {
  const { pool: name, logger, metrics } = options;
  const pool = openPool(poolOptions(options), logger, options.silence);
  watchPool(metrics, name, pool);
  const waits = metrics.histogram("database_connection_wait_seconds", "Time spent waiting for a connection.", ["pool"]);
  return new PoolDialect(pool, waits.labels({ pool: name }));
}

function poolOptions({ pool, url, poolSize, timeouts = databaseTimeouts }: OrmOptions) {
  return {
    ...timeouts,
    // Jobs wait for a free connection as long as it takes. Requests are refused.
    ...(pool === "main" && {
      Client: clientOpenedWithin(timeouts.connectionTimeoutMillis),
      connectionTimeoutMillis: 0,
    }),
    connectionString: withSettings(url),
    max: poolSize,
    idleTimeoutMillis: IDLE_TIMEOUT,
    types,
    // A statement is sent before the result of an earlier one arrives, if its sender does not wait for it.
    pipeline: true,
    application_name: "merchant-api",
  };
}

/** Gives timestamp columns the precision of a `Date`: milliseconds. */
function measureInstants({ props }: EntityMetadata): void {
  for (const prop of props) if (prop.type === "timestamptz") prop.length = 3;
}
