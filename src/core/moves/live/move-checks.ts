import type { EntityManager } from "@mikro-orm/postgresql";
import type { Encryption } from "../../../platform/encryption.ts";
import type { Door } from "./door.ts";
import { Import } from "../../model/imports/import.entity.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { kysely } from "../../queries/database.ts";
import { OperatorError } from "../../../platform/errors.ts";
import {
  describeExport,
  listAppliedMigrations,
  type RowValues,
  readAllRows,
  type MovedTable,
} from "../moved-rows.sql.ts";
import { sealedColumns, SANDBOX_STAYS } from "../moved-tables.ts";
import { countRows, isSubscribed, readRoom, readServer } from "./replication.sql.ts";
import { requireKeys, requireOwnAddresses } from "../row-writer.ts";

/** A move of an open shop from one database to another. */
export interface Move {
  from: EntityManager;
  to: EntityManager;
  shopId: string;
  /** The address of the source, as the PostgreSQL of the destination reaches it. */
  source: string;
  /** The host, port and name of the destination's database. */
  destination: string;
  /** The keys of the destination. */
  encryption: Encryption;
  door: Door;
  signal: AbortSignal;
  onProgress: (message: string) => void;
}

/** The oldest PostgreSQL that replicates only the rows of a shop. */
const OLDEST = 15;
/** A slot follows the changes, and two more copy tables. */
const SLOTS = 3;
/** What a row takes with its indexes and its WAL. */
const GROWTH = 4;
/** A disk with less is full. MB. */
const MIN_ROOM = 64;

/** @throws OperatorError that names everything that the move lacks, a line each */
export async function requireMovable(move: Move, tables: readonly MovedTable[]): Promise<void> {
  const checks = [checkServers, checkMigrations, checkShops, checkKeys, checkAccounts, checkRoom, checkLeft];
  const problems: string[] = [];
  for (const check of checks) problems.push(...(await check(move, tables)));
  if (problems.length > 0) throw new OperatorError(problems.join("\n"));
}

async function checkServers({ from, to, shopId }: Move): Promise<string[]> {
  const [source, destination] = [await readServer(from, shopId), await readServer(to, shopId)];
  return [
    ...[source, destination].flatMap(({ version, isCluster }) => [
      version < OLDEST && `PostgreSQL ${version} cannot replicate a single shop. Upgrade it to ${OLDEST} or later`,
      isCluster && "A database with Citus cannot be the source or the destination of a live move",
    ]),
    source.system === destination.system &&
      "Both databases are in one server, which cannot subscribe to itself. Export and import the shop",
    source.walLevel !== "logical" && "The source needs wal_level = logical. Set it, and restart its PostgreSQL",
    source.slots < SLOTS &&
      `The source needs ${SLOTS} free replication slots. Raise max_replication_slots and max_wal_senders`,
    !source.mayReplicate && "The role at the source may not replicate. Run as superuser: alter role … replication",
    !destination.maySubscribe &&
      `The role at the destination may not subscribe. ${destination.version < 16 ? "Use a superuser" : "Run as superuser: grant pg_create_subscription to …"}`,
  ].filter((problem) => problem !== false);
}

async function checkMigrations({ from, to }: Move): Promise<string[]> {
  const [source, destination] = [await listAppliedMigrations(kysely(from)), await listAppliedMigrations(kysely(to))];
  const isSame = source.join() === destination.join();
  return isSame ? [] : ["The installations have different schemas. Upgrade both to the same release"];
}

async function checkShops({ from, to, shopId, destination }: Move): Promise<string[]> {
  const [here, there] = await Promise.all(
    [from, to].map((em) => em.findOne(Shop, { id: shopId }, { disableIdentityMap: true })),
  );
  if (!here) return ["The shop does not exist"];
  return [
    here.sandboxOf && SANDBOX_STAYS,
    here.deletionStartedAt && "The shop is being deleted",
    here.closedAt && here.movedTo !== destination && "The shop is closed. Open it, or export and import it",
    there && there.movedTo !== destination && "The shop exists at the destination",
  ].filter((problem) => typeof problem === "string");
}

/** Opens each secret of the shop with the keys of the destination. */
async function checkKeys({ from, shopId, encryption }: Move, tables: readonly MovedTable[]): Promise<string[]> {
  const header = await describeExport(from, shopId);
  const problems: string[] = [];
  for (const table of tables.filter((each) => sealedColumns(each).length > 0)) {
    for (const json of await readAllRows(from, table, shopId)) {
      const row = JSON.parse(json) as RowValues;
      problems.push(...(await problemOf(async () => requireKeys(table, [row], { header, encryption }))));
    }
  }
  return [...new Set(problems)];
}

async function checkAccounts({ from, to, shopId }: Move, tables: readonly MovedTable[]): Promise<string[]> {
  const staff = tables.find(({ name }) => name === "staff")!;
  const rows = await readAllRows(from, staff, shopId);
  return problemOf(() => requireOwnAddresses(kysely(to), `[${rows.join(",")}]`));
}

/** Compares the free disk space of the destination with what the shop needs, or with none while it is copied. */
export async function checkRoom({ from, to, shopId, onProgress }: Move, tables: readonly MovedTable[]) {
  const own = (await isSubscribed(to, shopId)) ? [] : tables.filter(({ owner }) => owner === "shop");
  const size = (await countRows(from, shopId, own)).reduce((sum, row) => sum + row.size, 0);
  const needed = Math.ceil(MIN_ROOM + GROWTH * size);
  const free = await readRoom(to);
  const needs = `The copy needs about ${needed} MB on the disk of the destination`;
  if (free !== null && free < needed) return [`${needs}, which has ${free} MB left`];
  onProgress(free === null ? `${needs}, which this role cannot check` : needs);
  return [];
}

/** Names the import and the sandboxes that stay behind. */
async function checkLeft({ from, shopId, onProgress }: Move): Promise<string[]> {
  const open = await from.find(Import, { shopId, endedAt: null });
  for (const { fileName, state } of open)
    onProgress(`The import of ${JSON.stringify(fileName)} (${state}) does not move. Repeat it after the move`);
  for (const { name } of await from.find(Shop, { sandboxOf: shopId }, { disableIdentityMap: true }))
    onProgress(`${name} does not move. For a new one, run there: merchant-api shops sandbox --shop ${shopId}`);
  return [];
}

/** The message of the error of a check that fails. */
async function problemOf(check: () => Promise<void>): Promise<string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [error.message];
  }
}
