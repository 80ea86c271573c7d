import { randomBytes } from "node:crypto";
import pg from "pg";
import { eventually } from "./eventually.ts";

const TEMPLATE = "merchant_api_template";

/** Connections to test databases, by URL. */
const pools = new Map<string, pg.Pool>();

/** The URL of a database on the run's PostgreSQL, or on a node of its cluster. */
const urlOf = (database: string, node = process.env.TEST_DATABASE_URL!) =>
  Object.assign(new URL(node), { pathname: `/${database}` }).href;

let nodes: Promise<string[]> | undefined;

/** The URLs of the run's PostgreSQL, or of the nodes of its cluster, the coordinator first. */
function readNodes(): Promise<string[]> {
  return (nodes ??= findNodes(process.env.TEST_DATABASE_URL!));
}

async function findNodes(url: string): Promise<string[]> {
  const citus = await query(url, "select from pg_extension where extname = 'citus'");
  if (citus.length === 0) return [url];
  const rows = await query<{ nodename: string; nodeport: number }>(
    url,
    "select nodename, nodeport from pg_dist_node where isactive order by groupid",
  );
  return rows.map(({ nodename, nodeport }) => Object.assign(new URL(url), { hostname: nodename, port: nodeport }).href);
}

/** Returns true when TEST_DATABASE_URL is a database of a cluster's coordinator, which knows its nodes. */
export async function isCluster(): Promise<boolean> {
  return (await readNodes()).length > 1;
}

/** Makes databases of the same name on all nodes one cluster. */
async function connectNodes(name: string): Promise<void> {
  const urls = (await readNodes()).map((node) => Object.assign(new URL(node), { pathname: `/${name}` }));
  for (const url of urls) await query(url.href, "create extension citus");
  const [coordinator, ...workers] = urls as [URL, ...URL[]];
  const addressOf = ({ hostname, port }: URL) => `'${hostname}', ${port}`;
  await query(coordinator.href, `select citus_set_coordinator_host(${addressOf(coordinator)})`);
  for (const worker of workers) await query(coordinator.href, `select citus_add_node(${addressOf(worker)})`);
}

/** SQL: gives a copy of the template its settings, which PostgreSQL does not copy. */
const copySettings = (name: string) => `do $$
  declare
    setting text;
  begin
    for setting in
      select unnest(setconfig) from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
      where datname = '${TEMPLATE}'
    loop
      execute format('alter database ${name} set %s to %L', split_part(setting, '=', 1), split_part(setting, '=', 2));
    end loop;
  end $$`;

/** The URLs of a database, which has the same name on each node. A server of a test's own has no nodes. */
export async function onNodes(url: string): Promise<string[]> {
  if (new URL(url).host !== new URL(process.env.TEST_DATABASE_URL!).host) return [url];
  return (await readNodes()).map((node) => urlOf(new URL(url).pathname.slice(1), node));
}

/** Runs a statement on the run's PostgreSQL, or on each node of its cluster. */
async function onEachNode(statement: string): Promise<void> {
  await Promise.all((await readNodes()).map((node) => query(urlOf("postgres", node), statement)));
}

/** Creates the database that test files clone, replacing an earlier run's, and returns its URL. */
export async function createTemplate(): Promise<string> {
  const locale = process.env.TEST_DATABASE_LOCALE;
  await onEachNode(`drop database if exists ${TEMPLATE} with (force)`);
  await onEachNode(`create database ${TEMPLATE} ${locale ? withLocale(locale) : ""}`);
  if (await isCluster()) await connectNodes(TEMPLATE);
  return urlOf(TEMPLATE);
}

const withLocale = (locale: string) => `template template0 locale_provider icu icu_locale '${locale}'`;

/** Closes the migrated template to connections, with which it could not be cloned. */
export async function closeTemplate(): Promise<void> {
  await onEachNode(`alter database ${TEMPLATE} allow_connections false`);
  await onEachNode(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${TEMPLATE}'`);
}

export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** Creates a database for the caller: a copy of the migrated template, or of another. */
export function cloneDatabase(template = TEMPLATE): Promise<TestDatabase> {
  // Copying files is faster than logging each page.
  return createDatabase(`template ${template} strategy file_copy`);
}

/** Creates an empty database for the caller. On a cluster, it is on all nodes, which know each other. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase("template0");
  if (await isCluster()) await connectNodes(new URL(database.url).pathname.slice(1));
  return database;
}

/** Creates an empty database for the caller with an ICU locale such as `tr-TR`. */
export function createDatabaseOf(locale: string): Promise<TestDatabase> {
  return createDatabase(withLocale(locale));
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `test_${process.env.TEST_RUN}_${randomBytes(6).toString("hex")}`;
  await onEachNode(`create database ${name} ${options}`);
  if (await isCluster()) await onEachNode(copySettings(name));
  const url = urlOf(name);
  pools.set(url, new pg.Pool({ connectionString: url }));
  return { url, drop: () => dropDatabase(name) };
}

/** Waits for connections to close instead of ending them. A pool closes slightly before its connections. */
async function dropDatabase(name: string): Promise<void> {
  await pools.get(urlOf(name))!.end();
  const connections = () =>
    query(
      urlOf("postgres"),
      `select 1 from pg_stat_activity where datname = $1 and backend_type = 'client backend'
         and application_name not like 'citus%'`,
      [name],
    );
  await eventually(connections, (rows) => rows.length === 0);
  await onEachNode(`drop database ${name} with (force)`);
}

/** Drops the databases that shared servers and interrupted tests left. */
export async function dropDatabases(): Promise<void> {
  const left = await query<{ name: string }>(
    urlOf("postgres"),
    "select datname as name from pg_database where starts_with(datname, $1)",
    [`test_${process.env.TEST_RUN}_`],
  );
  for (const { name } of left) await onEachNode(`drop database ${name} with (force)`);
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
