// Text, since PostgreSQL's views of itself have no entities. Each statement returns its findings.
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, query } from "../core/queries/database.ts";
import { heldSnapshots } from "../core/webhooks/health/load-webhook-figures.sql.ts";
import type { Checks, Finding } from "./check.ts";

export const askThrough = (em: EntityManager) => (text: string) => query<Finding>(kysely(em), { text }, []);

const WORKERS = `(select count(*) from pg_stat_activity
  where application_name = 'merchant-api worker' and datname = current_database())`;

/** Checks of PostgreSQL and its workers. `poolSize` is of each process; `minutes` is how long a snapshot may be held. */
export function databaseChecks(ask: (text: string) => Promise<Finding[]>, poolSize: number, minutes = 10): Checks {
  // See "Count connections" in docs/operations.md.
  const [api, worker] = [poolSize + 4, poolSize + 12];
  const find = (text: string) => () => ask(text);
  return {
    connections: [
      "PostgreSQL allows enough connections for the workers and an api",
      find(`select 'WARNING' as severity, format(
          'PostgreSQL has %s connections for merchant-api, and the workers and an api open up to %s', free, needed) as finding,
        'Raise max_connections, lower DATABASE_POOL_SIZE, or run fewer processes' as remedy
      from (select ${api} + ${worker} * greatest(${WORKERS}, 1) as needed, least(
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0),
          nullif(datconnlimit, -1), nullif(rolconnlimit, -1)) - (select count(*) from pg_stat_activity
            where datname is not null and coalesce(application_name, '') not like 'merchant-api%') as free
        from pg_database, pg_roles where datname = current_database() and rolname = session_user) counted
      where free < needed`),
    ],
    "connection settings": [
      "PostgreSQL gets the settings of connections",
      find(`select 'ERROR' as severity, 'PostgreSQL does not get settings of connections: a pooler drops them' as finding,
        'Connect DATABASE_URL to PostgreSQL directly' as remedy where current_setting('jit') <> 'off'`),
    ],
    collation: [
      "Indexes have the collation of the operating system",
      find(`select 'ERROR' as severity,
        format('Indexes are sorted by collation version %s, and the system has %s', datcollversion, actual) as finding,
        format('Run: reindex database %1$I; alter database %1$I refresh collation version', datname) as remedy
      from pg_database, pg_database_collation_actual_version(oid) actual
      where datname = current_database() and datcollversion <> actual`),
    ],
    vacuum: [
      "No table has more dead rows than live ones",
      find(`select 'WARNING' as severity, format('%I has %s dead and %s live rows, and its last vacuum was %s', relname,
          n_dead_tup, n_live_tup, coalesce(greatest(last_vacuum, last_autovacuum)::text, 'never')) as finding,
        format('End old snapshots, and run: vacuum %I.%I', schemaname, relname) as remedy
      from pg_stat_user_tables where n_dead_tup > greatest(n_live_tup, 10000) order by n_dead_tup desc limit 5`),
    ],
    snapshots: [
      "Nothing holds back vacuum",
      find(`select 'WARNING' as severity, holder || ' holds back vacuum since ' || since as finding,
        'End it if nobody needs it, and set idle_in_transaction_session_timeout' as remedy
      from (${heldSnapshots}) held where since <= now() - interval '${minutes} minutes'
      union all select 'WARNING', 'The inactive replication slot ' || slot_name || ' holds back vacuum or keeps WAL',
        'Connect its consumer, or drop the slot' from pg_replication_slots
      where not active and coalesce(database, current_database()) = current_database()
      union all select 'UNKNOWN', 'Sessions of other roles are not seen',
        format('Run: grant pg_read_all_stats to %I', current_user) where not pg_has_role('pg_read_all_stats', 'usage')`),
    ],
    workers: [
      "A worker is connected, and no job is late",
      find(`select 'ERROR' as severity, 'No worker is connected, so nothing is sent' as finding,
        'Start a worker' as remedy where ${WORKERS} = 0
      union all select 'WARNING', 'The oldest due job was due at ' || min(run_at), 'Read the logs of the workers'
      from graphile_worker._private_jobs where is_available having min(run_at) < now() - interval '5 minutes'`),
    ],
  };
}
