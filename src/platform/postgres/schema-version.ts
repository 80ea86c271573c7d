import { createHash } from "node:crypto";
import type { Migration } from "@mikro-orm/migrations";
import { sql, type Kysely } from "kysely";
import { OperatorError } from "../errors.ts";
import type { NamedMigration } from "./orm.ts";

/** The last migration of graphile-worker's schema in the installed version. */
export const JOB_QUEUE_VERSION = 20;
const JOB_QUEUE = `graphile-worker ${JOB_QUEUE_VERSION}`;

const UNDEFINED_TABLE = "42P01";

export interface MigrationState {
  name: string;
  /** LATER: applied by a newer release. DIFFERENT: applied by a version with other statements under the same name. */
  state: "APPLIED" | "WAITING" | "LATER" | "DIFFERENT";
  appliedAt: Date | null;
}

/**
 * The state of graphile-worker's last migration, then of these migrations, then of any that a newer release has
 * applied.
 */
export async function listMigrations(
  database: Kysely<MigrationTables>,
  migrations: readonly NamedMigration[],
): Promise<MigrationState[]> {
  const applied = new Map((await readApplied(database)).map((row) => [row.name, row]));
  const digests = new Map(migrations.map((migration) => [migration.name, digestOf(migration)]));
  return [...new Set([JOB_QUEUE, ...digests.keys(), ...applied.keys()])].map((name) => {
    const { appliedAt = null, digest } = applied.get(name) ?? {};
    if (appliedAt === null) return { name, state: "WAITING", appliedAt };
    if (name === JOB_QUEUE) return { name, state: "APPLIED", appliedAt };
    if (!digests.has(name)) return { name, state: "LATER", appliedAt };
    return { name, state: digests.get(name) === digest ? "APPLIED" : "DIFFERENT", appliedAt };
  });
}

/** @throws OperatorError when another version made the database, so that this one can neither use nor migrate it */
export async function refuseDifference(
  database: Kysely<MigrationTables>,
  migrations: readonly NamedMigration[],
): Promise<void> {
  const different = namesOf(await listMigrations(database, migrations), "DIFFERENT");
  if (different.length === 0) return;
  throw new OperatorError(
    `Another version of Merchant API made this database (different: ${different.join(", ")}). Nothing was changed. ` +
      "To keep its shops, run merchant-api export with that version, and merchant-api import with this version " +
      "and an empty database. To begin with a new demo, move DATA_DIR (.data by default) away.",
  );
}

/** The names of the migrations in a state. */
export function namesOf(migrations: readonly MigrationState[], wanted: MigrationState["state"]): string[] {
  return migrations.flatMap(({ name, state }) => (state === wanted ? name : []));
}

/** The SHA-256 digest of a migration's statements, in hexadecimal, without comments and line breaks. */
export function digestOf({ class: MigrationClass }: NamedMigration): string {
  const services = [undefined, undefined] as unknown as ConstructorParameters<typeof Migration>;
  const migration = new MigrationClass(...services);
  void migration.up();
  const statements = migration.getQueries().map((statement) => {
    if (typeof statement !== "string") throw new TypeError("A migration adds statements as text");
    return statement.replace(/--.*/g, "").replace(/\s+/g, " ").trim();
  });
  return createHash("sha256").update(JSON.stringify(statements)).digest("hex");
}

/** The tables in which graphile-worker and MikroORM record applied migrations. */
export interface MigrationTables {
  "graphile_worker.migrations": { id: number; ts: Date };
  migrations: { name: string; executed_at: Date };
}

async function readApplied(
  database: Kysely<MigrationTables>,
): Promise<{ name: string; appliedAt: Date; digest: string | null }[]> {
  const ofQueue = database
    .selectFrom("graphile_worker.migrations")
    .select([sql<string>`'graphile-worker ' || id`.as("name"), "ts as appliedAt", sql<null>`null`.as("digest")])
    .where("id", ">=", JOB_QUEUE_VERSION);
  // Databases from before digests were stored have no such column.
  const digest = sql<string | null>`to_jsonb(migrations) ->> 'digest'`.as("digest");
  const ours = database.selectFrom("migrations").select(["name", "executed_at as appliedAt", digest]).orderBy("name");
  try {
    return [...(await ofQueue.execute()), ...(await ours.execute())];
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
