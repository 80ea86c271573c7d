import { Migrator } from "@mikro-orm/migrations";
import { defineConfig, MikroORM, type EntityClass, type EntityMetadata } from "@mikro-orm/postgresql";
import pg from "pg";
import { withSettings } from "./connection-url.ts";
import { PoolDialect } from "./driver/postgres-driver.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { openPool } from "./open-pool.ts";
import { ParameterDriver } from "./driver/parameter-driver.ts";
import { watchPool } from "./watch-pool.ts";

export type Orm = MikroORM;

// Timestamps become `Date` whoever reads the row: the unit of work or Kysely.
const types = new pg.TypeOverrides();
const TIMESTAMPTZ = 1184;
types.setTypeParser(
  TIMESTAMPTZ,
  (text: string) => new Date(text.replace(" ", "T") + (/[+-]\d\d$/.test(text) ? ":00" : "")),
);

/** Bounds on what one statement of the service's own work may cost the others. Milliseconds. */
export const databaseTimeouts = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 5_000,
  // Less than a statement of a request may take, so that the error names the lock.
  lock_timeout: 1_800,
  idle_in_transaction_session_timeout: 10_000,
};

/** The same for requests: a search for a frequent word or a page far away ends sooner. */
export const requestTimeouts = { ...databaseTimeouts, statement_timeout: 2_000 };

/**
 * The time that pools keep connections that nobody uses: a new one takes 5 ms and has no plans of its
 * statements, and the first requests after a quiet moment would wait for several. Milliseconds.
 */
export const IDLE_TIMEOUT = 600_000;

export interface OrmOptions {
  /** The name of its pool in metrics. */
  pool: "main" | "requests";
  url: string;
  poolSize: number;
  entities: EntityClass<unknown>[];
  migrations: NonNullable<Parameters<typeof defineConfig>[0]["migrations"]>["migrationsList"];
  logger: Logger;
  metrics: Metrics;
  /** The bounds of its statements, where they are not those of all the others. */
  timeouts?: typeof databaseTimeouts;
}

/** The object-relational mapper on a pool of its own. Does not connect yet. */
export function createOrm(options: OrmOptions): Orm {
  return new MikroORM(
    defineConfig({
      driver: ParameterDriver,
      clientUrl: options.url,
      entities: options.entities,
      extensions: [Migrator],
      discovery: { onMetadata: measureInstants },
      // Each migration gives back its locks before the next one.
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

function createDialect(options: OrmOptions): PoolDialect {
  const { pool: name, logger, metrics } = options;
  const pool = openPool(poolOptions(options), logger);
  watchPool(metrics, name, pool);
  const waits = metrics.histogram("database_connection_wait_seconds", "Time spent waiting for a connection.", ["pool"]);
  return new PoolDialect(pool, (duration) => waits.observe({ pool: name }, duration / 1_000));
}

function poolOptions({ url, poolSize, timeouts = databaseTimeouts }: OrmOptions) {
  return {
    ...timeouts,
    connectionString: withSettings(url),
    max: poolSize,
    idleTimeoutMillis: IDLE_TIMEOUT,
    types,
    application_name: "merchant-api",
  };
}

/** Gives the columns of instants the precision of a `Date`: milliseconds. */
function measureInstants({ props }: EntityMetadata): void {
  for (const prop of props) if (prop.type === "timestamptz") prop.length = 3;
}
