import { sql } from "kysely";
import type { Orm } from "./orm.ts";

/** The last migration of graphile-worker's schema in the installed version. */
export const JOB_QUEUE_VERSION = 20;

const UNDEFINED_TABLE = "42P01";

export interface MigrationState {
  name: string;
  /** LATER: applied by a newer release. */
  state: "APPLIED" | "WAITING" | "LATER";
  appliedAt: Date | null;
}

/**
 * The state of graphile-worker's last migration, then of these migrations, then of any that a newer release has
 * applied.
 */
export async function listMigrations(orm: Orm, names: readonly string[]): Promise<MigrationState[]> {
  const applied = new Map((await readApplied(orm)).map(({ name, appliedAt }) => [name, appliedAt]));
  const known = [`graphile-worker ${JOB_QUEUE_VERSION}`, ...names];
  return [...new Set([...known, ...applied.keys()])].map((name) => {
    if (!applied.has(name)) return { name, state: "WAITING", appliedAt: null };
    return { name, state: known.includes(name) ? "APPLIED" : "LATER", appliedAt: applied.get(name)! };
  });
}

/** Finds the named migrations that the database lacks. Others, from a newer release, are ignored. */
export async function findMissingMigrations(orm: Orm, names: readonly string[]): Promise<string[]> {
  return (await listMigrations(orm, names)).flatMap(({ name, state }) => (state === "WAITING" ? name : []));
}

/** The tables in which graphile-worker and MikroORM record applied migrations. */
interface MigrationTables {
  "graphile_worker.migrations": { id: number; ts: Date };
  migrations: { name: string; executed_at: Date };
}

async function readApplied(orm: Orm): Promise<Pick<MigrationState, "name" | "appliedAt">[]> {
  const database = orm.em.getKysely<MigrationTables>();
  const ofQueue = database
    .selectFrom("graphile_worker.migrations")
    .select([sql<string>`'graphile-worker ' || id`.as("name"), "ts as appliedAt"])
    .where("id", ">=", JOB_QUEUE_VERSION);
  const ours = database.selectFrom("migrations").select(["name", "executed_at as appliedAt"]).orderBy("name");
  try {
    return [...(await ofQueue.execute()), ...(await ours.execute())];
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
