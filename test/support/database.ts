import { randomBytes } from "node:crypto";
import pg from "pg";
import { eventually } from "./eventually.ts";

const TEMPLATE = "merchant_api_template";

/** Connections to test databases, by URL. */
const pools = new Map<string, pg.Pool>();

/** The URL of a database in the run's PostgreSQL. */
const urlOf = (database: string) =>
  Object.assign(new URL(process.env.TEST_DATABASE_URL!), { pathname: `/${database}` }).href;

/** Creates the database that test files clone, replacing an earlier run's, and returns its URL. */
export async function createTemplate(locale = process.env.TEST_DATABASE_LOCALE): Promise<string> {
  await query(urlOf("postgres"), `drop database if exists ${TEMPLATE}`);
  await query(urlOf("postgres"), `create database ${TEMPLATE} ${locale ? withLocale(locale) : ""}`);
  return urlOf(TEMPLATE);
}

const withLocale = (locale: string) => `template template0 locale_provider icu icu_locale '${locale}'`;

export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** Creates a database for the caller: a copy of the migrated template, or of another. */
export function cloneDatabase(template = TEMPLATE): Promise<TestDatabase> {
  return createDatabase(`template ${template}`);
}

/** Creates an empty database for the caller with an ICU locale such as `tr-TR`. */
export function createDatabaseOf(locale: string): Promise<TestDatabase> {
  return createDatabase(withLocale(locale));
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await query(urlOf("postgres"), `create database ${name} ${options}`);
  const url = urlOf(name);
  pools.set(url, new pg.Pool({ connectionString: url }));
  return { url, drop: () => dropDatabase(name) };
}

/** Waits for connections to close instead of ending them. A pool closes slightly before its connections. */
async function dropDatabase(name: string): Promise<void> {
  await pools.get(urlOf(name))!.end();
  const connections = () => query(urlOf("postgres"), "select 1 from pg_stat_activity where datname = $1", [name]);
  await eventually(connections, (rows) => rows.length === 0);
  await query(urlOf("postgres"), `drop database ${name}`);
}

/** Runs a statement on a separate connection, as another process would. */
export async function query<Row = Record<string, unknown>>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const pool = pools.get(url);
  if (pool) return (await pool.query(statement, values)).rows as Row[];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
