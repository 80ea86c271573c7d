// Text, since a cluster is read from the catalogs of Citus, and controlled by Citus functions.
import type { Kysely } from "kysely";
import { OperatorError } from "../../platform/errors.ts";
import { query } from "../queries/database.ts";
import type { Database } from "../model/tables.ts";

/** A node of a cluster. */
export interface Node {
  name: string;
  isCoordinator: boolean;
  holdsShards: boolean;
  /** Null when the node refuses. */
  settings: { wal_level: string; output_plugin_libraries: string | null } | null;
  /** The error of a node that refuses, or of the connection to it. */
  refusal: string | null;
}

/** A database whose server has Citus. */
export interface Cluster {
  version: string;
  database: string;
  isCoordinator: boolean;
  nodes: Node[];
}

const findCitus = `select extversion as version, quote_ident(current_database()) as database
  from pg_extension where extname = 'citus'`;

const findNodes = `select nodename || ':' || nodeport as name, groupid = 0 as "isCoordinator",
    shouldhaveshards as "holdsShards", case when success then result::json end as settings,
    case when not success then result end as refusal
  from pg_dist_node left join run_command_on_all_nodes($$
    select json_build_object('wal_level', current_setting('wal_level'),
      'output_plugin_libraries', current_setting('output_plugin_libraries', true))
  $$) using (nodeid)
  where isactive and noderole = 'primary' order by groupid`;

/** Reads the cluster. Undefined without Citus. */
export async function readCluster(database: Kysely<Database>): Promise<Cluster | undefined> {
  const [citus] = await query<Pick<Cluster, "version" | "database">>(database, { text: findCitus }, []);
  if (!citus) return undefined;
  const [local] = await query<{ groupid: number }>(database, { text: "select groupid from pg_dist_local_group" }, []);
  return { ...citus, isCoordinator: local!.groupid === 0, nodes: await query(database, { text: findNodes }, []) };
}

/** Returns true when the server has Citus. */
export async function isOnCluster(database: Kysely<Database>): Promise<boolean> {
  return (await query(database, { text: findCitus }, [])).length > 0;
}

const findNode = `select groupid::text as node from pg_dist_placement
  where shardid = get_shard_id_for_distribution_column('products', $1::text)`;

/** Finds the node with the rows of a shop. Only the coordinator is asked. */
export async function findNodeOf(database: Kysely<Database>, shopId: string): Promise<string | undefined> {
  const [found] = await query<{ node: string }>(database, { text: findNode }, [shopId]);
  return found?.node;
}

/** A table, and where its rows are. */
export interface PlacedTable {
  name: string;
  belongs: "COORDINATOR" | "DISTRIBUTED" | "REFERENCE";
  isPlaced: boolean;
  /** True when the coordinator holds rows, which are copies once the table is distributed. */
  hasLocalRows: boolean;
}

// Referenced tables come first.
const findTables = `
  with recursive found (oid, rank) as (
    select oid, 0 from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
    union
    select conrelid, rank + 1 from found join pg_constraint on confrelid = found.oid and contype = 'f'
  )
  select relname::text as name, partmethod is not null as "isPlaced", pg_relation_size(oid) > 0 as "hasLocalRows",
    case when relname = any($1) then 'REFERENCE'
      when relname <> all($2) and exists (select from pg_attribute where attrelid = oid and attname = $3) then 'DISTRIBUTED'
      else 'COORDINATOR' end as belongs
  from (select oid, max(rank) as rank from found group by oid) ranked join pg_class using (oid)
  left join pg_dist_partition on logicalrelid = oid
  order by rank, relname`;

/** Lists the tables of the schema. No table refers to a later one. */
export function listTables(database: Kysely<Database>): Promise<PlacedTable[]> {
  return query(database, { text: findTables }, [referenceTables, coordinatorTables, DISTRIBUTION_COLUMN]);
}

/** Where a setting of the database applies. */
export type Place = "coordinator" | "workers";

// The workers answer a node, not a client, so that settings of the client's connection do not reach them.
const findSettings = {
  coordinator: `select unnest(setconfig) as setting from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
    where setrole = 0 and datname = current_database()`,
  workers: "",
};
findSettings.workers = `select min(result) as setting from run_command_on_workers($$
  select coalesce(string_agg(setting, ',' order by setting), '') from (${findSettings.coordinator}) settings$$)`;

/** Reads the settings of the database as `name=value`. On the workers, only settings that all workers share. */
export async function readSettings(database: Kysely<Database>, place: Place): Promise<string[]> {
  const rows = await query<{ setting: string }>(database, { text: findSettings[place] }, []);
  return rows.flatMap(({ setting }) => setting.split(","));
}

/** A setting of the database. */
export type Setting = [name: string, value: string];

/** SQL: sets it on the coordinator. */
export function setOnCoordinator(database: string, [name, value]: Setting): string {
  return `alter database ${database} set ${name} to '${value}'`;
}

/** SQL: sets it on the workers. They refuse a setting that they are to send on to others. */
export function setOnWorkers(database: string, setting: Setting): string {
  const statement = `set citus.enable_ddl_propagation to off; ${setOnCoordinator(database, setting)}`;
  return `select * from run_command_on_workers($$${statement}$$)`;
}

/** SQL: gives every node a copy of the table. */
export function copyTable({ name }: PlacedTable): string {
  return `select create_reference_table('${name}')`;
}

/**
 * SQL: deletes the totals before they are distributed. Citus copies rows into tables that already have their triggers,
 * which count each row again.
 */
export const forgetCounts = "delete from record_counts";

/** SQL: distributes the table, with the rows of a shop where another table has them. */
export function distributeTable({ name }: PlacedTable, beside: PlacedTable | undefined): string {
  return `select create_distributed_table('${name}', '${DISTRIBUTION_COLUMN}', colocate_with => '${beside?.name ?? "none"}')`;
}

/** SQL: deletes the rows that the coordinator had before the table was distributed. */
export function emptyTable({ name }: PlacedTable): string {
  return `select truncate_local_data_after_distributing_table('${name}')`;
}

/** Sets what a transaction needs to distribute tables. The settings of the database apply to later connections alone. */
export async function prepareTransaction(database: Kysely<Database>, settings: readonly Setting[]): Promise<void> {
  // Sequential: a transaction that has changed a reference table may use only one connection to each node.
  const own: Setting[] = [
    ["idle_in_transaction_session_timeout", "0"],
    ["citus.multi_shard_modify_mode", "sequential"],
  ];
  for (const [name, value] of [...own, ...settings])
    await query(database, { text: `set local ${name} = '${value}'` }, []);
}

/** Runs a statement. @throws OperatorError with the answer of a node on which it failed */
export async function runOnCluster(database: Kysely<Database>, text: string): Promise<void> {
  const rows = await query<{ success?: boolean; result?: string }>(database, { text }, []);
  const failed = rows.find(({ success }) => success === false);
  if (failed) throw new OperatorError(`A node refused "${text}": ${failed.result}`);
}

/** The column by which rows are distributed over the nodes of a cluster. */
export const DISTRIBUTION_COLUMN = "shop_id";

/**
 * Tables that every node has a copy of, because distributed tables refer to them. A change of one needs all nodes, and
 * a lock or a new reference the first one, so accounts are not among them: a login would wait for both.
 */
export const referenceTables = ["shops"];

/** Tables with a shop that stay on the coordinator, because their rows are also found without it, with the reasons. */
export const coordinatorTables = [
  // By the digest of a secret.
  "api_keys",
  "service_tokens",
  "invitations",
  // By the member.
  "memberships",
];
