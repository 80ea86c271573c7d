import { setTimeout as wait } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import type { EntityManager } from "@mikro-orm/postgresql";
import pg from "pg";
import { withSettings } from "./pool.ts";
import { createOrm, databaseTimeouts, type Orm, type OrmOptions } from "./orm.ts";
import { digestOf } from "./schema-version.ts";
import { defaultDigest, fixPlansOfAddJobs, lockMigrate } from "./session.sql.ts";
import { OperatorError } from "../errors.ts";
import { Metrics } from "../telemetry/metrics.ts";
import { progress } from "../terminal.ts";

/**
 * The time that a migration waits for a lock, in milliseconds. Later statements queue behind it, so it is shorter than
 * the lock time-out of requests. It is longer than PostgreSQL's `deadlock_timeout` of a second, after which a blocking
 * autovacuum yields.
 */
const LOCK_TIMEOUT = 1_200;

/** The time before the next try, in which statements that queued behind the migration are served. Milliseconds. */
const PAUSE = 2_000;

/** Takes about a minute in total. */
const TRIES = 20;

export type SchemaOptions = Omit<OrmOptions, "pool" | "metrics" | "timeouts">;

export interface MigrateOptions extends SchemaOptions {
  /** Runs after each migration, before a later one refers to its tables. */
  afterEach: (em: EntityManager) => Promise<void>;
}

/** Without a statement time-out, because tables may be large. */
const timeouts = { ...databaseTimeouts, statement_timeout: 0, lock_timeout: LOCK_TIMEOUT };

/** PostgreSQL's codes for a lock time-out and a deadlock. */
const lockFailures = new Set(["55P03", "40P01"]);

/**
 * Updates the schema: the job queue's first, because ours refers to it. Two processes may run it at the same time.
 *
 * @throws OperatorError when others held a lock all the time
 */
export function migrate(options: MigrateOptions): Promise<void> {
  return changeSchema(options, (orm) => retryLocks(() => applyAll(orm, options)));
}

/** Runs the work on a pool whose statements may take long, while nobody else changes the schema. @throws OperatorError */
export async function changeSchema<Result>(
  options: SchemaOptions,
  work: (orm: Orm) => Promise<Result>,
): Promise<Result> {
  const connectionString = withSettings(options.url);
  const lock = new pg.Client({ connectionString, application_name: "merchant-api migrate" });
  // Without this connection, another process may change the schema.
  const broken = new Promise<never>((_resolve, reject) => {
    lock.on("error", ({ message }) => reject(new OperatorError(`The connection to PostgreSQL broke: ${message}`)));
  });
  broken.catch(() => undefined);
  await lock.connect();
  // Metrics that are not exposed.
  const orm = createOrm({ ...options, pool: "main", timeouts, metrics: new Metrics() });
  try {
    await lock.query(lockMigrate);
    return await Promise.race([work(orm), broken]);
  } finally {
    await orm.close(true);
    await lock.end();
  }
}

async function applyAll(orm: Orm, { url, migrations, afterEach }: MigrateOptions): Promise<void> {
  await runMigrations({ connectionString: withSettings(url, { lock_timeout: String(LOCK_TIMEOUT) }) });
  // At each run, because a migration of the queue may replace the function.
  await orm.em.getConnection().execute(fixPlansOfAddJobs);
  const pending = new Set((await orm.migrator.getPending()).map(({ name }) => name));
  for (const migration of migrations.filter(({ name }) => pending.has(name))) {
    await orm.em.getConnection().execute(defaultDigest(digestOf(migration)));
    await orm.migrator.up({ to: migration.name });
    await afterEach(orm.em.fork());
  }
}

async function retryLocks(work: () => Promise<void>): Promise<void> {
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!lockFailures.has((error as { code?: string }).code ?? "")) throw error;
      if (left === 0)
        throw new OperatorError(
          "A migration could not acquire a lock. Find the session that holds it in pg_stat_activity, then run migrate again",
        );
      if (left === TRIES - 1)
        progress("A migration is waiting for a lock held by another session. Retrying for a minute");
      await wait(PAUSE);
    }
  }
}
