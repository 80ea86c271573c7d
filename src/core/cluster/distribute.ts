import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { OperatorError } from "../../platform/errors.ts";
import { databaseTimeouts } from "../../platform/postgres/orm.ts";
import type { Database } from "../model/tables.ts";
import { kysely } from "../queries/database.ts";
import { transactional } from "../queries/transaction.ts";
import {
  copyTable,
  distributeTable,
  emptyTable,
  forgetCounts,
  listTables,
  prepareTransaction,
  readCluster,
  readSettings,
  runOnCluster,
  setOnCoordinator,
  setOnWorkers,
  type Cluster,
  type Node,
  type Place,
  type Setting,
} from "./cluster.sql.ts";

/** The oldest version of Citus that the statements are tested with. */
const OLDEST = [13, 2];

/** The settings of the database on the coordinator. */
const coordinatorSettings = {
  // The triggers that count records write to the same shop, and so to the same node.
  "citus.enable_unsafe_triggers": "on",
  // Tables on the coordinator stay unknown to the workers, though they refer to shops.
  "citus.enable_local_reference_table_foreign_keys": "off",
};

/** Those on the workers, which the settings of a client's connection do not reach. */
const workerSettings = { jit: "off", lock_timeout: `${databaseTimeouts.lock_timeout}ms` };

export interface DistributeOptions {
  dryRun?: boolean;
  /** Gets each statement before it runs. */
  onProgress?: (statement: string) => void;
}

/**
 * Distributes the tables over the nodes of a cluster by shop, all or none. Returns the statements, which are none when
 * everything is distributed already. With `dryRun`, it runs none of them.
 *
 * @throws OperatorError when the database is not on a cluster, or the cluster is not ready
 */
export async function distribute(
  em: EntityManager,
  { dryRun = false, onProgress = () => undefined }: DistributeOptions = {},
): Promise<string[]> {
  return transactional(em, async (inside) => {
    const database = kysely(inside);
    const cluster = await readCluster(database);
    if (!cluster) throw new OperatorError(WITHOUT_CITUS);
    const problems = problemsOf(cluster);
    if (problems.length > 0) throw new OperatorError(problems.join("\n"));
    const statements = await plan(database, cluster);
    if (dryRun) return statements;
    await prepareTransaction(database, Object.entries(coordinatorSettings));
    for (const statement of statements) {
      onProgress(statement);
      await runOnCluster(database, statement);
    }
    return statements;
  });
}

/** Distributes new tables, on a cluster whose other tables are distributed. */
export async function keepDistributed(em: EntityManager): Promise<void> {
  const database = kysely(em);
  if (!(await readCluster(database))) return;
  const tables = await listTables(database);
  if (tables.some(({ belongs, isPlaced }) => belongs === "DISTRIBUTED" && isPlaced)) await distribute(em);
}

const WITHOUT_CITUS = `This database is on one PostgreSQL, and does not need this command.
distribute spreads the shops over several machines with Citus, an extension of PostgreSQL, once one machine is too small.
See docs/scaling.md: install Citus, add the nodes, then run distribute again`;

function problemsOf({ version, isCoordinator, nodes }: Cluster): string[] {
  if (!isCoordinator) return ["This node is a worker of the cluster. Set DATABASE_URL to the coordinator"];
  const problems = [];
  const [major = 0, minor = 0] = version.split(/\D/).map(Number);
  if (major < OLDEST[0]! || (major === OLDEST[0] && minor < OLDEST[1]!)) {
    problems.push(`Citus ${version} is too old. Install version ${OLDEST.join(".")} or later on every node`);
  }
  if (!nodes.some((node) => node.isCoordinator)) {
    problems.push("The coordinator has no address. Run: select citus_set_coordinator_host('<host>', <port>)");
  }
  if (!nodes.some((node) => node.holdsShards)) {
    problems.push("No node holds shards. Run for each worker: select citus_add_node('<host>', <port>)");
  }
  return [...problems, ...nodes.flatMap(settingsMissing)];
}

/** What keeps the shops of a node from moving while they are open. */
function settingsMissing({ name, settings, refusal }: Node): string[] {
  if (!settings) return [`The coordinator could not read the settings of ${name}: ${refusal}`];
  const { wal_level: walLevel, output_plugin_libraries: libraries } = settings;
  const problems = [];
  if (walLevel !== "logical") problems.push(`Set wal_level = logical on ${name}`);
  // Only newer releases of PostgreSQL have this list.
  if (libraries && !libraries.includes("citus")) {
    problems.push(`Set output_plugin_libraries = '${libraries}, citus' on ${name}`);
  }
  return problems;
}

async function plan(database: Kysely<Database>, { database: name }: Cluster): Promise<string[]> {
  const onWorkers = await missing(database, "workers", workerSettings);
  const onCoordinator = await missing(database, "coordinator", coordinatorSettings);
  const tables = await listTables(database);
  const copied = tables.filter(({ belongs, isPlaced }) => belongs === "REFERENCE" && !isPlaced);
  const distributed = tables.filter(({ belongs }) => belongs === "DISTRIBUTED");
  // All others have their rows where this one has those of the same shop.
  const first = distributed.find(({ isPlaced }) => isPlaced) ?? distributed[0]!;
  const spread = distributed.filter(({ isPlaced }) => !isPlaced);
  const emptied = distributed.filter(({ hasLocalRows }) => hasLocalRows).toReversed();
  return [
    // First, since Citus sends the coordinator's to the workers in this transaction.
    ...onWorkers.map((setting) => setOnWorkers(name, setting)),
    ...onCoordinator.map((setting) => setOnCoordinator(name, setting)),
    ...copied.map(copyTable),
    ...(spread.some((table) => table.name === "record_counts") ? [forgetCounts] : []),
    ...spread.map((table) => distributeTable(table, table === first ? undefined : first)),
    ...emptied.map(emptyTable),
  ];
}

/** The settings that the database lacks. */
async function missing(database: Kysely<Database>, place: Place, settings: Record<string, string>): Promise<Setting[]> {
  const known = await readSettings(database, place);
  return Object.entries(settings).filter(([name, value]) => !known.includes(`${name}=${value}`));
}
