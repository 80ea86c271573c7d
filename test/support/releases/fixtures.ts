import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import pg from "pg";
import { migrations } from "../../../migrations/index.ts";
import { entities } from "../../../src/core/schema.ts";
import { migrate } from "../../../src/database.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import { createEmptyDatabase, type TestDatabase } from "../database.ts";
import { nextMigrations } from "./next-migrations.ts";

const RELEASES = "test/releases";

/** A shop with records of every kind as a release left it, and what that release answered. */
export interface Fixture {
  version: string;
  /** In base64. */
  encryptionKey: string;
  shopId: string;
  /** An API key, a login of an owner and the signing secret of an endpoint. All are of this shop alone. */
  key: string;
  owner: { email: string; password: string };
  /** Bodies of REST, by path. */
  answers: Record<string, string>;
  /** Data of GraphQL, by document. */
  data: Record<string, unknown>;
  /** The database, as SQL. */
  database: string;
  /** The file that `merchant-api export` wrote of the shop. */
  shopFile: string;
}

/** Reads the fixture of every release. */
export async function readFixtures(): Promise<Fixture[]> {
  const files = (await readdir(RELEASES)).filter((name) => name.endsWith(".json.gz"));
  return Promise.all(files.map((name) => readFixture(join(RELEASES, name))));
}

async function readFixture(file: string): Promise<Fixture> {
  return JSON.parse(String(await promisify(gunzip)(await readFile(file))));
}

/** The name of the key is the one that fixtures are made with. */
export const keysOf = ({ encryptionKey }: Fixture) => [{ name: "release", key: Buffer.from(encryptionKey, "base64") }];

/** Creates the release's database. */
export async function loadFixture({ database: sql }: Fixture): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  // Not a client of the pool, because the dump changes settings of its session.
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(sql);
  await client.end();
  return database;
}

/** Creates the release's database, and upgrades it to the schema after the present one. */
export async function upgradeFixture(fixture: Fixture): Promise<TestDatabase> {
  const database = await loadFixture(fixture);
  await migrateFurther(database.url);
  return database;
}

/** Applies the present migrations, and what a later release may add. */
export function migrateFurther(url: string): Promise<void> {
  const all = [...migrations, ...nextMigrations];
  return migrate({ url, poolSize: 2, entities, migrations: all, logger: createLogger("silent") });
}
