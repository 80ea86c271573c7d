// Text, since publications and subscriptions have no builder, and their names and conditions no parameters.
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, query } from "../queries/database.ts";
import type { MovedTable } from "./moved-rows.sql.ts";

/** The publication, the subscription and the slot of a shop's move. */
const nameOf = (shopId: string) => `move_${shopId}`;

const run = <Row>(em: EntityManager, text: string, values: unknown[] = []) => query<Row>(kysely(em), { text }, values);

/** Publishes the rows of the shop in these tables. */
export async function publish(from: EntityManager, shopId: string, tables: readonly MovedTable[]): Promise<void> {
  const rows = tables.map(({ name, ownerColumn }) => `${name} where (${ownerColumn} = '${shopId}')`);
  await unpublish(from, shopId);
  await run(from, `create publication ${nameOf(shopId)} for table ${rows.join(", ")}`);
}

export async function isPublished(from: EntityManager, shopId: string): Promise<boolean> {
  return (await run(from, "select 1 from pg_publication where pubname = $1", [nameOf(shopId)])).length > 0;
}

export async function unpublish(from: EntityManager, shopId: string): Promise<void> {
  await run(from, `drop publication if exists ${nameOf(shopId)}`);
}

/** Copies the published rows, and then follows their changes. `source` is how the destination reaches the source. */
export async function subscribe(to: EntityManager, shopId: string, source: string): Promise<void> {
  const name = nameOf(shopId);
  // Otherwise a crash can lose the state of a copied table whose slot is deleted already, and the copy never ends.
  await run(
    to,
    `create subscription ${name} connection '${source.replaceAll("'", "''")}' publication ${name}
    with (synchronous_commit = on)`,
  );
}

export async function isSubscribed(to: EntityManager, shopId: string): Promise<boolean> {
  const text = `select 1 from pg_subscription join pg_database on pg_database.oid = subdbid
    where subname = $1 and datname = current_database()`;
  return (await run(to, text, [nameOf(shopId)])).length > 0;
}

/** Ends the subscription, and deletes its slot at the source. */
export async function unsubscribe(to: EntityManager, shopId: string): Promise<void> {
  await run(to, `drop subscription if exists ${nameOf(shopId)}`);
}

/** The number of the shop's rows in each table. */
export async function countRows(
  from: EntityManager,
  shopId: string,
  tables: readonly MovedTable[],
): Promise<Map<string, number>> {
  const counts = tables.map(
    ({ name, ownerColumn }) =>
      `select '${name}' as name, count(*)::int as count from ${name} where ${ownerColumn} = $1`,
  );
  const rows = await run<{ name: string; count: number }>(from, counts.join(" union all "), [shopId]);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

export interface CopyProgress {
  /** Tables whose rows are copied. */
  ready: string[];
  /** Rows of the tables that are being copied. */
  copying: number;
  /** Errors of the subscription. The log of the destination's PostgreSQL has the reasons. */
  errors: number;
}

export async function readProgress(to: EntityManager, shopId: string): Promise<CopyProgress> {
  const text = `select
    array(select relname::text from pg_subscription_rel join pg_subscription on pg_subscription.oid = srsubid
      join pg_class on pg_class.oid = srrelid where subname = $1 and srsubstate in ('r', 's')) as ready,
    coalesce((select sum(tuples_processed) from pg_stat_progress_copy where datname = current_database()), 0)::int as copying,
    coalesce((select apply_error_count + sync_error_count from pg_stat_subscription_stats where subname = $1), 0)::int as errors`;
  const [progress] = await run<CopyProgress>(to, text, [nameOf(shopId)]);
  return progress!;
}

/** The position of everything that is committed now. */
export async function readPosition(from: EntityManager): Promise<string> {
  // The commit of a message is flushed, and with it all earlier ones.
  await run(from, "select pg_logical_emit_message(true, 'merchant-api', 'move')");
  const [row] = await run<{ position: string }>(from, "select pg_current_wal_flush_lsn()::text as position");
  return row!.position;
}

/** The bytes of changes that the destination has not stored yet. Null while it does not follow. */
export async function readLag(from: EntityManager, shopId: string, position: string): Promise<number | null> {
  const text = `select pg_wal_lsn_diff($2::pg_lsn, confirmed_flush_lsn)::float8 as lag from pg_replication_slots
    where slot_name = $1 and active`;
  const [row] = await run<{ lag: number | null }>(from, text, [nameOf(shopId), position]);
  return row?.lag ?? null;
}

/** What a move needs of a server. */
export interface Server {
  version: number;
  system: string;
  isCluster: boolean;
  walLevel: string;
  /** Replication slots that are free. */
  slots: number;
  isSuperuser: boolean;
  canReplicate: boolean;
  /** Always false before PostgreSQL 16. */
  canSubscribe: boolean;
}

export async function readServer(em: EntityManager): Promise<Server> {
  const text = `select
    current_setting('server_version_num')::int / 10000 as version,
    (select system_identifier::text from pg_control_system()) as system,
    exists (select from pg_extension where extname = 'citus') as "isCluster",
    current_setting('wal_level') as "walLevel",
    current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots)::int as slots,
    rolsuper as "isSuperuser", rolreplication as "canReplicate",
    coalesce((select pg_has_role(oid, 'usage') from pg_roles where rolname = 'pg_create_subscription'), false) as "canSubscribe"
    from pg_roles where rolname = current_user`;
  const [server] = await run<Server>(em, text);
  return server!;
}
