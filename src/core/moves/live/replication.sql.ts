// Text, since publications and subscriptions have no builder, and their names and conditions no parameters.
import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { OperatorError } from "../../../platform/errors.ts";
import { becomesTrue } from "../../../platform/recurring.ts";
import { kysely, query } from "../../queries/database.ts";
import { transactional } from "../../queries/transaction.ts";
import type { MovedTable } from "../moved-rows.sql.ts";

type Ends = Record<"from" | "to", EntityManager> & { shopId: string };

/** The time in which PostgreSQL releases a slot, or records that it has dropped one. Milliseconds. */
const PATIENCE = 5_000;

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

/** Copies the published rows and follows their changes, or continues. `source` is how the destination reaches it. */
export async function subscribe(to: EntityManager, shopId: string, source: string): Promise<void> {
  const name = nameOf(shopId);
  const connection = `connection '${source.replaceAll("'", "''")}'`;
  // A crash may lose commits that are not synchronous, and with them the state of a copied table.
  const create = `create subscription ${name} ${connection} publication ${name} with (synchronous_commit = on)`;
  await run(to, (await isSubscribed(to, shopId)) ? `alter subscription ${name} ${connection}` : create);
}

export async function isSubscribed(to: EntityManager, shopId: string): Promise<boolean> {
  const text = `select 1 from pg_subscription join pg_database on pg_database.oid = subdbid
    where subname = $1 and datname = current_database()`;
  return (await run(to, text, [nameOf(shopId)])).length > 0;
}

/** Ends the subscription, and deletes its slots at the source. @throws OperatorError when another one uses its slot */
export async function unsubscribe({ from, to, shopId }: Ends): Promise<void> {
  const name = nameOf(shopId);
  // Without its slot, which may be missing.
  const steps = ["alter $ disable", "alter $ set (slot_name = none)", "drop $"];
  if (await isSubscribed(to, shopId)) {
    await transactional(to, async (inside) => {
      for (const step of steps) await run(inside, step.replace("$", `subscription ${name}`));
    });
  }
  const { system } = await readServer(to, shopId);
  const drop = `select case when active then slot_name = $1 else pg_drop_replication_slot(slot_name) is null end as held
    from pg_replication_slots where database = current_database()
      and (slot_name = $1 or slot_name like 'pg\\_%\\_sync\\_%\\_' || $2)`;
  const isReleased = async () => !(await run<{ held: boolean }>(from, drop, [name, system])).some(({ held }) => held);
  if (await becomesTrue(isReleased, PATIENCE)) return;
  throw new OperatorError(
    "Another database follows the shop. Take that move back first: --undo, with its address as --to",
  );
}

/**
 * Names what the subscription lacks to continue. PostgreSQL drops the slot of a copied table before it commits the
 * table's state: after a crash in between, the table awaits its slot forever.
 */
export async function findLosses(ends: Ends, patience = PATIENCE): Promise<string[]> {
  const { from, to, shopId } = ends;
  const needed = `select subname::text as name from pg_subscription where subname = $1 union all
    select format('pg_%s_sync_%s_%s', srsubid, srrelid, system_identifier) from pg_control_system(), pg_subscription_rel
    join pg_subscription on pg_subscription.oid = srsubid where subname = $1 and srsubstate = 'f'`;
  const lost = `select 'The replication slot ' || name || ' is missing at the source, or has lost its WAL' as message
    from unnest($1::text[]) name left join pg_replication_slots on slot_name = name
    where slot_name is null or wal_status = 'lost'
    union all select 'The publication is missing' where not exists (select from pg_publication where pubname = $2)`;
  const slots = (await run<{ name: string }>(to, needed, [nameOf(shopId)])).map(({ name }) => name);
  const losses = (await run<{ message: string }>(from, lost, [slots, nameOf(shopId)])).map(({ message }) => message);
  if (losses.length === 0 || patience === 0) return losses;
  const still = await wait(patience).then(() => findLosses(ends, 0));
  return losses.filter((loss) => still.includes(loss));
}

/** The number of the shop's rows in each table, and their MB without indexes. */
export async function countRows(from: EntityManager, shopId: string, tables: readonly MovedTable[]) {
  const counts = tables.map(
    ({ name, ownerColumn }) => `select '${name}' as name, count(*)::int as count,
      coalesce(sum(pg_column_size(${name}.*)), 0) / 1048576.0::float8 as size from ${name} where ${ownerColumn} = $1`,
  );
  if (counts.length === 0) return [];
  return run<{ name: string; count: number; size: number }>(from, counts.join(" union all "), [shopId]);
}

/** The names of the copied tables, and the number of rows that running copies have written. */
export async function readProgress(to: EntityManager, shopId: string): Promise<{ ready: string[]; copying: number }> {
  const text = `select
    array(select relname::text from pg_subscription_rel join pg_subscription on pg_subscription.oid = srsubid
      join pg_class on pg_class.oid = srrelid where subname = $1 and srsubstate in ('r', 's')) as ready,
    coalesce((select sum(tuples_processed) from pg_stat_progress_copy where datname = current_database()), 0)::int as copying`;
  return (await run<{ ready: string[]; copying: number }>(to, text, [nameOf(shopId)]))[0]!;
}

/** The position of everything that is committed now. Bytes. */
export async function readPosition(from: EntityManager): Promise<number> {
  // The commit of a message is flushed, and with it all earlier ones.
  await run(from, "select pg_logical_emit_message(true, 'merchant-api', 'move')");
  const text = "select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as position";
  return (await run<{ position: number }>(from, text))[0]!.position;
}

/** The position up to which the destination has stored the changes. Zero while it does not follow. */
export async function readFollowed(from: EntityManager, shopId: string): Promise<number> {
  const text = `select pg_wal_lsn_diff(confirmed_flush_lsn, '0/0')::float8 as position from pg_replication_slots
    where slot_name = $1 and active`;
  return (await run<{ position: number | null }>(from, text, [nameOf(shopId)]))[0]?.position ?? 0;
}

/** The free MB on the disk of the data directory. Null where the role may not run `df`: SQL cannot see the disk. */
export function readRoom(to: EntityManager): Promise<number | null> {
  const free =
    "select (substring(line from '([0-9]+) +[0-9]+% ')::int8 / 1024)::int as free from room where line ~ '% '";
  const asking = transactional(to, async (inside) => {
    await run(inside, "create temporary table room (line text) on commit drop");
    // PostgreSQL works in its data directory.
    await run(inside, "copy room from program 'df -Pk .'");
    return (await run<{ free: number }>(inside, free))[0]!.free;
  });
  return asking.catch(() => null);
}

/** What a move needs of a server. */
export interface Server {
  version: number;
  system: string;
  isCluster: boolean;
  walLevel: string;
  /** Replication slots that are free, or the shop's. */
  slots: number;
  mayReplicate: boolean;
  /** Before PostgreSQL 16, only a superuser may. */
  maySubscribe: boolean;
}

export async function readServer(em: EntityManager, shopId: string): Promise<Server> {
  const text = `select
    current_setting('server_version_num')::int / 10000 as version,
    (select system_identifier::text from pg_control_system()) as system,
    exists (select from pg_extension where extname = 'citus') as "isCluster",
    current_setting('wal_level') as "walLevel",
    current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots
      where slot_name <> $1 and slot_name !~ '^pg_[0-9]+_sync_')::int as slots,
    rolsuper or rolreplication as "mayReplicate", rolsuper or exists (
      select from pg_roles where rolname = 'pg_create_subscription' and pg_has_role(oid, 'usage')) as "maySubscribe"
    from pg_roles where rolname = current_user`;
  const [server] = await run<Server>(em, text, [nameOf(shopId)]);
  return server!;
}
