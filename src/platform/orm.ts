import { Migrator } from "@mikro-orm/migrations";
import { defineConfig, MikroORM, type EntityClass } from "@mikro-orm/postgresql";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import type { Logger } from "./logger.ts";

export type Orm = MikroORM;

// Timestamps become `Date` whoever reads the row: the unit of work or a projection.
const types = new pg.TypeOverrides();
const TIMESTAMPTZ = 1184;
types.setTypeParser(
  TIMESTAMPTZ,
  (text: string) => new Date(text.replace(" ", "T") + (/[+-]\d\d$/.test(text) ? ":00" : "")),
);

const MAX_NAMED_STATEMENTS = 500;
const statementNames = new Map<string, string>();

/**
 * Names each statement that has parameters, so that PostgreSQL parses and plans it once for a connection
 * instead of at every call. What LIKE costs depends on the pattern: such a statement is planned each time.
 */
class PreparingClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- passes the many overloads of `query` through
  override query(text: any, values?: any, callback?: any): any {
    const name = typeof text === "string" && Array.isArray(values) ? nameOf(text, values) : undefined;
    return name === undefined ? super.query(text, values, callback) : super.query({ name, text, values }, callback);
  }
}

function nameOf(text: string, values: unknown[]): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined || values.length === 0) return known;
  if (statementNames.size >= MAX_NAMED_STATEMENTS || / like /.test(text)) return undefined;
  const name = `merchant-api-${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}

/** Bounds on what one statement may cost the others. Milliseconds. */
export const databaseTimeouts = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

export interface OrmOptions {
  url: string;
  poolSize: number;
  entities: EntityClass<unknown>[];
  migrations: NonNullable<Parameters<typeof defineConfig>[0]["migrations"]>["migrationsList"];
  logger: Logger;
}

/** The object-relational mapper on a pool of its own. Does not connect yet. */
export function createOrm(options: OrmOptions): Orm {
  return new MikroORM(
    defineConfig({
      clientUrl: options.url,
      entities: options.entities,
      extensions: [Migrator],
      migrations: { migrationsList: options.migrations, tableName: "migrations", snapshot: false },
      pool: { min: 0, max: options.poolSize },
      driverOptions: { ...databaseTimeouts, types, Client: PreparingClient, application_name: "merchant-api" },
      ensureDatabase: false,
      logger: (message) => options.logger.debug({ orm: message }, "orm"),
    }),
  );
}

/** Brings the schema up to date: the job queue's first, for ours refers to it. Safe to run twice at once. */
export async function migrate(orm: Orm, url: string): Promise<void> {
  const lock = new pg.Client({ connectionString: url, application_name: "merchant-api migrate" });
  await lock.connect();
  try {
    await lock.query("select pg_advisory_lock(hashtext('merchant-api migrate'))");
    await runMigrations({ connectionString: url });
    await orm.migrator.up();
  } finally {
    await lock.end();
  }
}
