import type pg from "pg";
import { openPostgres, progress, settle, type BenchDatabase } from "../open-database.ts";
import type { Figures, Measurement } from "../report.ts";
import { playRounds } from "../rounds.ts";
import { commitBacklog, untilDelivered, makeDeliveries } from "./backlog.ts";
import { makeEndpoints, type BenchEndpoint } from "./endpoints.ts";
import { connect, type Stage } from "./stage.ts";

const LIVE = 20;
const DUE = 2_000;
/** Endpoints without due deliveries. */
const QUIET = 980;

/** A database with a worker. */
interface Place extends BenchDatabase {
  client: pg.Client;
  endpoints: BenchEndpoint[];
}

/** Milliseconds measured by PostgreSQL. */
interface Costs extends Figures {
  /** The time to find and read a thousand due deliveries. */
  reading: number;
  /** The time to record a thousand attempts. */
  recording: number;
}

/** Measures finding due deliveries with and without retries that are not due. */
export async function* measureParked(stage: Stage): AsyncGenerator<Measurement> {
  const settings = { shared_preload_libraries: "pg_stat_statements" };
  const { openDatabase } = await openPostgres(stage.stops, stage.settings.databaseUrl, settings);
  const origins = await stage.receiver.ask("listen", LIVE);
  const place = async (name: string) => preparePlace(stage, await openDatabase(name), origins);
  const empty = await place("empty");
  for (const where of ["1,000 endpoints", "one endpoint"]) {
    const parked = await place(where === "one endpoint" ? "one" : "many");
    progress(`Parking ${stage.settings.parked} retries at ${where}`);
    await park(parked, stage.settings.parked, where === "one endpoint" ? [parked.endpoints[0]!] : undefined);
    const sides = await playRounds(
      { ...stage, rounds: stage.settings.rounds, warmUp: 1 },
      { without: () => deliver(stage, empty), with: () => deliver(stage, parked) },
    );
    const name = `parked/${where.replace(/\W+/g, "-")}`;
    yield { name, title: `1,000 due deliveries beside ${stage.settings.parked} parked at ${where}`, sides };
  }
}

async function preparePlace(stage: Stage, database: BenchDatabase, origins: string[]): Promise<Place> {
  const client = await connect(stage, database);
  await client.query("create extension pg_stat_statements");
  const endpoints = await makeEndpoints(database.app, origins);
  await client.query(
    `insert into webhook_endpoints (shop_id, id, url, topics, sealed_secret, created_at, updated_at)
    select shop_id, 'whe_quiet' || n, url, '{}', sealed_secret, now(), now()
    from (select *, row_number() over () - 1 as place from webhook_endpoints) model
    join generate_series(0, $1::int - 1) n on n % $2::int = place`,
    [QUIET, endpoints.length],
  );
  await stage.startWorker(database);
  return { ...database, client, endpoints };
}

/** Inserts failed deliveries with retries due in some hours. */
async function park({ databaseUrl, client, endpoints }: Place, count: number, only?: BenchEndpoint[]): Promise<void> {
  const shopIds = [...new Set((only ?? endpoints).map(({ shopId }) => shopId))];
  // Without checks of foreign keys, for speed. All references exist.
  await client.query("set session_replication_role = replica");
  await client.query(
    `insert into events (shop_id, id, topic, body, created_at)
    select shop, 'evt_parked' || n, 'product.updated', '{}', now() - interval '1 day'
    from unnest($1::text[]) shop cross join generate_series(1, 1000) n`,
    [shopIds],
  );
  await client.query(
    `with delivery as (
      insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
      select shop_id, 'whd_parked' || lpad(n::text, 9, '0'), 'evt_parked' || (n / 1000) % 1000 + 1, id, 'product.updated',
        now() - interval '1 day'
      from (
        select shop_id, id, row_number() over (order by id) - 1 as place, count(*) over () as endpoints
        from webhook_endpoints where $2::text[] is null or id = any($2)
      ) endpoint join generate_series(0, $1 - 1) n on n % endpoints = place
      returning *
    )
    insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, is_test, created_at, status, attempts,
      response_status, error_class, error, attempted_at, next_attempt_at)
    select delivery.*, 'PENDING', 6, 503, 'HTTP_STATUS', 'Responded with 503', now() - interval '1 hour',
      now() + interval '1 hour' + random() * interval '11 hours'
    from delivery`,
    [count, only?.map(({ id }) => id) ?? null],
  );
  await client.query("set session_replication_role = origin");
  await settle({ databaseUrl });
}

async function deliver(stage: Stage, { databaseUrl, client, endpoints }: Place): Promise<Costs> {
  await settle({ databaseUrl });
  await client.query(
    "select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))",
  );
  await commitBacklog(client, makeDeliveries(endpoints, DUE));
  await stage.receiver.ask("expect", DUE);
  await untilDelivered(client, endpoints);
  await stage.receiver.ask("take");
  return {
    reading: (await costOf(client, reading)) / (DUE / 1_000),
    recording: (await costOf(client, recording)) / (DUE / 1_000),
  };
}

// Identifies the worker's statements by the tables that they use.
const reading = "query ~ 'deliveries' and query ~ 'trace_parent from events'";
const recording = "query ~ 'insert into delivery_attempts'";

async function costOf(client: pg.Client, which: string): Promise<number> {
  const { rows } = await client.query(`select sum(total_exec_time) as total
    from pg_stat_statements where ${which} and dbid = (select oid from pg_database where datname = current_database())`);
  if (rows[0].total === null) throw new Error(`The worker sent no statement such that ${which}`);
  return rows[0].total;
}
